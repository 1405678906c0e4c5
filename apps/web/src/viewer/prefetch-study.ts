import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { prefetchCall } from "./prefetch-call.ts";
import { prefetchFile } from "./prefetch-file.ts";
import { openPersistedFiles } from "../browser/persisted-files.ts";
import { prefetchMesh } from "./model/mesh/mesh-fetcher.ts";
import { selectStudyItem, listStudyItems } from "./study-items.ts";
import { viewerLoaders } from "./viewer-loaders.ts";

/**
 * Continues with a study that the first paint has requested, or requests it, while the viewer itself is still loading.
 */
export async function prefetchStudy(query: URLSearchParams, preferVolume: boolean): Promise<void> {
  const id = query.get("study");
  if (!id) return;
  const response = prefetchCall(studyCalls.detail, { id, brief: "true" });
  openPersistedFiles();
  if (preferVolume) void viewerLoaders.volume();
  // The first query to the graphics processor wakes it, which takes a while: it runs while the page waits for the
  // server's answer.
  if (preferVolume) setTimeout(getGraphicsCapabilities);
  const study = await response;
  if (!study) return;
  const requestedId = query.get("item") ?? query.get("series") ?? undefined;
  const item = selectStudyItem(listStudyItems(study), requestedId, preferVolume);
  if (item) void viewerLoaders[item.kind]();
  if (item?.kind === "models")
    for (const { model } of item.series.instances)
      if (model) prefetchMesh({ url: model.url, glb: model.glb?.url ?? null, kind: model.format });
  const preview = item?.kind === "volume" && item.series.volume?.preview;
  // If volumes are preferred, the first paint has fetched the preview already.
  if (preview && !preferVolume) await prefetchFile(preview.url);
}
