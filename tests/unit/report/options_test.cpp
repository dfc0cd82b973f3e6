#include "cli/options.h"

#include <gtest/gtest.h>

namespace steward::cli {
namespace {

using Lines = std::vector<std::string>;

TEST(Options, KeysAndValuesAsThreadSanitizerSeparatesThem) {
  Options o;
  EXPECT_EQ(apply_options("exitcode=3:halt_on_error=1 suppressions='/a b:c',color=never\n"
                          "log_path=\"/x,y\"::",
                          OptionSource::Steward, o),
            Lines{});
  EXPECT_EQ(o.exitcode, 3);
  EXPECT_TRUE(o.halt_on_error);
  EXPECT_EQ(o.suppressions, "/a b:c");
  EXPECT_EQ(o.color, "never");
  EXPECT_EQ(o.log_path, "/x,y");
}

TEST(Options, NothingIsIgnoredInSilence) {
  Options o;
  EXPECT_EQ(apply_options("halt_on_eror=1:zzzzzz=2:exitcode=many:report_bugs=maybe:stats:merge=x:"
                          "history_size=8",
                          OptionSource::Steward, o),
            (Lines{"STEWARD_OPTIONS: unknown option 'halt_on_eror' (did you mean 'halt_on_error'?)",
                   "STEWARD_OPTIONS: unknown option 'zzzzzz'; 'steward run --help-options' lists "
                   "them",
                   "STEWARD_OPTIONS: exitcode=many: expected a number",
                   "STEWARD_OPTIONS: report_bugs=maybe: expected true or false",
                   "STEWARD_OPTIONS: 'stats' has no value; write stats=VALUE",
                   "STEWARD_OPTIONS: merge=x: expected stack, top or location",
                   "STEWARD_OPTIONS: history_size=8: expected 0 to 7"}));
  EXPECT_EQ(o.exitcode, 66);
  EXPECT_EQ(o.merge, "stack");
}

TEST(Options, ThreadSanitizersOwn) {
  Options o;
  EXPECT_EQ(
      apply_options("second_deadlock_stack=1:history_size=5:io_sync=0", OptionSource::Tsan, o),
      Lines{"TSAN_OPTIONS: without effect here: second_deadlock_stack, io_sync"});
  EXPECT_EQ(o.history_size, 5);
  // a key of ours alone is none of theirs
  EXPECT_EQ(apply_options("max_reports=1", OptionSource::Tsan, o).size(), 1U);
}

TEST(Options, TheRuntimeIsToldWhatItNeeds) {
  Options o;
  apply_options("history_size=3:halt_on_error=yes:exitcode=5:suppressions=x", OptionSource::Steward,
                o);
  EXPECT_EQ(runtime_options(o),
            "exitcode=0:halt_on_error=true:history_size=3:report_atomic_races=true:verbosity=0:"
            "sample=100%:sample_seed=0:sample_period=5000:lockset_barrier=read:lockset_block=0:"
            "lockset_exclude=:unseen=:burst=10");
}

TEST(Options, EveryOneIsInTheHelp) {
  const std::string help = options_help();
  for (const OptionInfo& option : option_table()) {
    EXPECT_NE(help.find(option.name), std::string::npos) << option.name;
  }
}

TEST(Options, AnyTextIsNoDanger) {
  Options o;
  for (const char* text : {"=", "==", ":=:", "a='", "exitcode='", "'", "exitcode=\"5", "   "}) {
    apply_options(text, OptionSource::Steward, o);
  }
  EXPECT_EQ(o.exitcode, 5);
}

}  // namespace
}  // namespace steward::cli
