import { graphics } from "@arcada/imaging/gl/graphics";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { askEarly } from "../kernel/early.ts";
import { fetchEarly } from "../kernel/early-files.ts";
import { openKept } from "../kernel/kept-files.ts";
import { bringMeshEarly } from "./model/mesh-bringer.ts";
import { chosenItem, itemsOf } from "./study-items.ts";
import { viewerCode } from "./viewer-code.ts";

/**
 * Continues with a study that the first look has requested, or requests it, while the viewer itself is still loading.
 */
export async function beginStudy(query: URLSearchParams, preferVolume: boolean): Promise<void> {
  const id = query.get("study");
  if (!id) return;
  const answer = askEarly(studyCalls.detail, { id, brief: "true" });
  openKept();
  if (preferVolume) void viewerCode.volume();
  // The first query to the graphics processor wakes it, which takes a while: it runs while the page waits for the
  // server's answer.
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
  // If volumes are preferred, the first look has fetched the preview already.
  if (preview && !preferVolume) await fetchEarly(preview.url);
}
