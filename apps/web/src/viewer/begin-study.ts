import { graphics } from "@arcada/imaging/gl/graphics";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { askEarly } from "../kernel/early.ts";
import { fetchEarly } from "../kernel/early-files.ts";
import { openKept } from "../kernel/kept-files.ts";
import { bringMeshEarly } from "./model/mesh-bringer.ts";
import { chosenItem, itemsOf } from "./study-items.ts";
import { viewerCode } from "./viewer-code.ts";

/** Takes up a study that the first look has asked for, or asks for it, while the viewer itself is still loading. */
export async function beginStudy(query: URLSearchParams, preferVolume: boolean): Promise<void> {
  const id = query.get("study");
  if (!id) return;
  const answer = askEarly(studyCalls.detail, { id, brief: "true" });
  openKept();
  if (preferVolume) void viewerCode.volume();
  // The first question to the graphics processor wakes it, which takes a while: that is waited for with the server's answer.
  if (preferVolume) setTimeout(graphics);
  const study = await answer;
  if (!study) return;
  const named = query.get("item") ?? query.get("series") ?? undefined;
  const item = chosenItem(itemsOf(study), named, preferVolume);
  if (item) void viewerCode[item.kind]();
  if (item?.kind === "models")
    for (const { model } of item.series.instances)
      if (model) bringMeshEarly({ url: model.url, glb: model.glb?.url ?? null, kind: model.format });
  const preview = item?.kind === "volume" && item.series.volume?.preview;
  // Where volumes are asked for, the first look has brought it already.
  if (preview && !preferVolume) await fetchEarly(preview.url);
}
