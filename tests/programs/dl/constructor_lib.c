// A library whose constructor and destructor work on its variable.
int constructed;

__attribute__((constructor)) static void construct(void) { constructed = 42; }
__attribute__((destructor)) static void destroy(void) { constructed = 0; }

int value(void) { return constructed; }
