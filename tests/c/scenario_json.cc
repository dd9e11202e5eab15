// SPDX-License-Identifier: Apache-2.0
#include "scenario_json.h"

#include <cmath>
#include <cstddef>

namespace fractalray::testing {
namespace {

Json faceJson(int axis, int sign) {
  if (axis < 0) return nullptr;
  return std::string(sign < 0 ? "-" : "+") + "xyz"[axis];
}

Json vectorJson(const double* vector) {
  return Json::array({vector[0], vector[1], vector[2]});
}

}  // namespace

Json indexJson(const std::int64_t* index, int dimensions) {
  Json array = Json::array();
  for (int axis = 0; axis < dimensions; ++axis)
    array.push_back(index[axis]);
  return array;
}

Json timeJson(double time) {
  return std::isnan(time) ? Json(nullptr) : Json(time);
}

Json hitJson(const frHit& hit, const std::string& type) {
  Json json;
  json["level"] = hit.level;
  if (hit.kind == FR_HIT_BLOCK) {
    json["kind"] = "block";
    json["block"] = indexJson(hit.cell);
    json["type"] = type;
  } else {
    json["kind"] = "entity";
    json["entity"] = hit.id;
  }
  json["t"] = hit.t;
  json["t_exit"] = hit.t_exit;
  if (hit.kind == FR_HIT_BLOCK || hit.shape == FR_BOX) {
    json["face"] = faceJson(hit.face_axis, hit.face_sign);
  }
  json["terminal"] = hit.terminal != 0;
  json["point"] = vectorJson(hit.point);
  json["normal"] = hit.start_inside != 0 ? Json(nullptr) : vectorJson(hit.normal);
  json["distance"] = hit.distance;
  return json;
}

Json lineJson(const frLine& line) {
  Json json;
  std::int64_t delta[3] = {};
  for (std::size_t axis = 0; axis < 3; ++axis)
    delta[axis] = line.to[axis] - line.from[axis];
  json["from"] = indexJson(line.from);
  json["delta"] = indexJson(delta);
  json["t_end"] = std::ldexp(static_cast<double>(line.end_time), -60);
  return json;
}

Json cellJson(const frWalkCell& cell, int dimensions) {
  Json json;
  json["cell"] = indexJson(cell.cell, dimensions);
  json["t"] = cell.t;
  json["face"] = faceJson(cell.face_axis, cell.face_sign);
  return json;
}

}  // namespace fractalray::testing
