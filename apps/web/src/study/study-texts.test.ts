import { describe, expect, it } from "vitest";
import { ingestJob } from "@arcada/contract/study/upload-job.calls";
import { series } from "@arcada/contract/study/study.schema";
import { studyKinds, studyStates } from "@arcada/contract/study/study.rules";
import en from "@arcada/texts/en/study.json" with { type: "json" };
import zh from "@arcada/texts/zh/study.json" with { type: "json" };

describe.each([
  ["English", en],
  ["Chinese", zh],
])("the words for images in %s", (_, texts) => {
  it("name every kind, state and stage that the server may answer", () => {
    expect(Object.keys(texts.kind)).toEqual([...studyKinds]);
    expect(Object.keys(texts.stage)).toEqual(expect.arrayContaining(ingestJob.shape.stage.options));
    expect(Object.keys(texts.seriesKind).toSorted()).toEqual(series.shape.kind.options.toSorted());
    const unready = studyStates.filter((state) => state !== "ready").toSorted();
    expect(Object.keys(texts.state).toSorted()).toEqual(unready);
    expect(Object.keys(texts.stateHint).toSorted()).toEqual(unready);
  });
});
