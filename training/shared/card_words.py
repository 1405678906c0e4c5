"""Chinese texts of the figures that `training/build-pack.ts` adds to every card."""

MEASURED_IN_PRODUCT = {
    "Time of one core for a film, ms": "一张片所用时间（单核，毫秒）",
    "Memory for runtime, model and film, MB": "运行时、模型与片所用内存（MB）",
    "a drawn film of 2,800 × 1,400, from its pixels to the answer": "一张 2,800 × 1,400 的绘制片，从像素到结果",
}
