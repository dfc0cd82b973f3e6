// From settings to a detector that owns its memory and its random numbers.
#pragma once

#include <memory>

#include "analyze/spec.h"
#include "core/detector/analysis.h"
#include "core/detector/detector.h"

namespace steward::analyze {

std::unique_ptr<Detector> make_detector(const DetectorSpec& spec, const LardRules& rules = {});

}  // namespace steward::analyze
