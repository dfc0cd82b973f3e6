// Writes binary traces, from events or from blocks of them that another has encoded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "trace/block.h"
#include "trace/event_encoder.h"
#include "trace/tables.h"
#include "trace/writer.h"

namespace steward::trace {

class BinaryWriter final : public Writer {
 public:
  BinaryWriter(std::unique_ptr<Sink> sink, const Names& names, const BinaryOptions& options);

  void write(std::span<const Event> events) override;
  // A writer is given events or blocks, not both. The names that a block uses are written before:
  // apart, since only this looks at the names.
  void write_names();
  void write(const EncodedBlock& block);
  void flush() override;
  void cut(Cut why, std::uint64_t at) override;
  void finish() override;

 private:
  void put_block(BlockType type, std::uint32_t count, std::string_view raw);

  const Names* names_;
  NamesEncoder new_names_;
  EventEncoder encoder_;
  BlockPacker packer_;
  std::uint32_t block_events_;
  std::uint64_t threads_ = 0;
  Index index_;
};

}  // namespace steward::trace
