// C, with unwinding: the one frame of ours that an exception of the program's passes and that has
// something to do then. In C++ this would need libstdc++; so it needs the unwinder, libgcc_s, which
// must be the one that the program throws with.
void steward_once_ended(void* control);

static void ended(void** control) { steward_once_ended(*control); }

__attribute__((visibility("hidden"))) void steward_run_initialiser(void (*initialise)(void),
                                                                   void* control) {
  __attribute__((cleanup(ended))) void* mine = control;
  (void)mine;
  initialise();
}
