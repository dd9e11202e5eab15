// SPDX-License-Identifier: Apache-2.0
// Embree 3 or 4, whichever was found: a query takes a context in the one, optional arguments that
// name a context in the other.
#pragma once

#if FRACTALRAY_BENCH_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace fractalray::bench {

#if FRACTALRAY_BENCH_EMBREE_MAJOR >= 4

// The data of a query that Embree passes to callbacks; callers derive their own from it.
using EmbreeContext = RTCRayQueryContext;

// Makes queries with a context, which it initialises and which must outlive it.
class EmbreeQueries {
 public:
  // coherent: the rays of a packet are similar.
  EmbreeQueries(EmbreeContext& context, bool coherent) {
    rtcInitRayQueryContext(&context);
    rtcInitIntersectArguments(&intersect_);
    rtcInitOccludedArguments(&occluded_);
    intersect_.context = &context;
    occluded_.context = &context;
    if (!coherent) return;
    intersect_.flags = RTC_RAY_QUERY_FLAG_COHERENT;
    occluded_.flags = RTC_RAY_QUERY_FLAG_COHERENT;
  }

  void intersect(RTCScene scene, RTCRayHit& ray) { rtcIntersect1(scene, &ray, &intersect_); }
  void intersect(RTCScene scene, const int* valid, RTCRayHit16& rays) {
    rtcIntersect16(valid, scene, &rays, &intersect_);
  }
  void occluded(RTCScene scene, RTCRay& ray) { rtcOccluded1(scene, &ray, &occluded_); }
  void occluded(RTCScene scene, const int* valid, RTCRay16& rays) {
    rtcOccluded16(valid, scene, &rays, &occluded_);
  }

 private:
  RTCIntersectArguments intersect_;
  RTCOccludedArguments occluded_;
};

#else

using EmbreeContext = RTCIntersectContext;

class EmbreeQueries {
 public:
  EmbreeQueries(EmbreeContext& context, bool coherent) : context_(context) {
    rtcInitIntersectContext(&context);
    if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  }

  void intersect(RTCScene scene, RTCRayHit& ray) { rtcIntersect1(scene, &context_, &ray); }
  void intersect(RTCScene scene, const int* valid, RTCRayHit16& rays) {
    rtcIntersect16(valid, scene, &context_, &rays);
  }
  void occluded(RTCScene scene, RTCRay& ray) { rtcOccluded1(scene, &context_, &ray); }
  void occluded(RTCScene scene, const int* valid, RTCRay16& rays) {
    rtcOccluded16(valid, scene, &context_, &rays);
  }

 private:
  EmbreeContext& context_;
};

#endif

}  // namespace fractalray::bench
