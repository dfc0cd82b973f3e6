// Traces in files and pipes.
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "trace_support.h"

namespace steward::trace {
namespace {

class Open : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "steward-open-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const char* name) const { return (directory_ / name).string(); }

  void put(const std::string& path, std::string_view bytes) {
    OpenedSink sink = open_sink(path);
    ASSERT_TRUE(sink.sink);
    sink.sink->write(bytes);
    sink.sink->close();
    ASSERT_FALSE(sink.sink->error());
  }

  static std::vector<Event> drain(Reader& reader) {
    std::vector<Event> out;
    for (auto b = reader.next(); !b.empty(); b = reader.next()) {
      out.insert(out.end(), b.begin(), b.end());
    }
    return out;
  }

  std::filesystem::path directory_;
};

TEST_F(Open, BothFormatsFromFiles) {
  const Names names;
  const auto events = random_events(4, 200'000);
  for (const bool binary : {true, false}) {
    put(path("trace"), binary ? to_binary(events, names) : to_text(events, names));
    const Opened in = open_trace(path("trace"));
    ASSERT_TRUE(in.reader);
    EXPECT_EQ(in.reader->total_events().has_value(), binary);
    EXPECT_EQ(drain(*in.reader), events);
    EXPECT_FALSE(in.reader->error());
    EXPECT_DOUBLE_EQ(in.reader->progress(), 1.0);
  }
}

TEST_F(Open, ThroughAPipe) {
  const Names names;
  const auto events = random_events(4, 200'000);
  const std::string bytes = to_binary(events, names);
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { put(path("pipe"), bytes); });
  const Opened in = open_trace(path("pipe"));
  ASSERT_TRUE(in.reader);
  EXPECT_FALSE(in.reader->total_events());
  EXPECT_EQ(drain(*in.reader), events);
  EXPECT_FALSE(in.reader->error());
  EXPECT_FALSE(in.reader->partial());
  EXPECT_EQ(in.reader->total_events(), events.size());
  EXPECT_EQ(in.reader->progress(), 0.0);
  writer.join();
}

TEST_F(Open, SaysWhyItCannot) {
  EXPECT_EQ(open_trace(path("none")).error->message, path("none") + ": No such file or directory");
  EXPECT_EQ(open_trace(directory_.string()).error->message,
            directory_.string() + ": Is a directory");
  put(path("empty"), "");
  EXPECT_EQ(open_trace(path("empty")).error->message,
            path("empty") + ": expected a trace, found nothing");
  put(path("secret"), "T0|end\n");
  ASSERT_EQ(::chmod(path("secret").c_str(), 0), 0);
  if (::access(path("secret").c_str(), R_OK) != 0) {  // root may read it all the same
    EXPECT_EQ(open_trace(path("secret")).error->message, path("secret") + ": Permission denied");
  }
}

// A trace that is read while it is written ends where the writer stands.
TEST_F(Open, AGrowingFileIsPartial) {
  const Names names;
  const auto events = random_events(4, 1000);
  OpenedSink sink = open_sink(path("growing"));
  ASSERT_TRUE(sink.sink);
  const auto writer = make_binary_writer(std::move(sink.sink), names, {.block_events = 300});
  writer->write(events);
  const Opened in = open_trace(path("growing"));
  ASSERT_TRUE(in.reader);
  EXPECT_EQ(drain(*in.reader).size(), 900u);
  EXPECT_FALSE(in.reader->error());
  EXPECT_TRUE(in.reader->partial());
  writer->finish();
  EXPECT_EQ(drain(*open_trace(path("growing")).reader), events);
}

}  // namespace
}  // namespace steward::trace
