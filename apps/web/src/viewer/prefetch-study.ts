import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { openPersistedFiles, readPersistedFile } from "../browser/persisted-files.ts";
import { createMeshJob, prefetchMesh } from "./model/mesh/mesh-fetcher.ts";
import { selectStudyItem, listStudyItems } from "./study-items.ts";
import { viewerLoaders } from "./viewer-code-loaders.ts";
import { addPrefetch, isPrefetching } from "../data/prefetched-responses.ts";
import { send } from "../data/ask.ts";
import { queryKeyOf, queryClient } from "../data/query-client.ts";

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
    for (const { model } of item.series.instances) if (model) prefetchMesh(createMeshJob(model));
  const preview = item?.kind === "volume" && item.series.volume?.preview;
  // If volumes are preferred, the first paint has fetched the preview already.
  if (preview && !preferVolume) await prefetchFile(preview.url);
}

/**
 * Makes a call before the page that shows the answer is loaded: its useCall finds the answer, or waits for the same
 * one. Null if it was refused; that page shows the refusal.
 */
async function prefetchCall<C extends Call>(call: C, input: Input<C>): Promise<Output<C> | null> {
  try {
    return await queryClient.fetchQuery({
      queryKey: queryKeyOf(call, input),
      queryFn: ({ signal }) => send(call, input, { signal }),
      meta: { shownBy: "page" },
    });
  } catch {
    return null;
  }
}

/** Begins to fetch the file that the page will need first. */
async function prefetchFile(url: string): Promise<void> {
  if (isPrefetching(url) || (await readPersistedFile(url))) return;
  addPrefetch(url, fetch(url, { cache: "no-store" }));
}
