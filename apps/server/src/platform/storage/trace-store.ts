import { withInnerSpan } from "../telemetry/tracing.ts";
import type { FileStore } from "./file-store.ts";

/** Adds a span to each operation of a store that is worth one. The name of a file is not part of it. */
export function traceStore(store: FileStore): FileStore {
  const span = <T>(operation: string, area: string, work: () => Promise<T>): Promise<T> =>
    withInnerSpan(`storage ${operation}`, { "arcada.storage.area": area }, work);
  return {
    ...store,
    put: (area, ...rest) => span("put", area, () => store.put(area, ...rest)),
    adopt: (area, ...rest) => span("adopt", area, () => store.adopt(area, ...rest)),
    read: (area, ...rest) => span("read", area, () => store.read(area, ...rest)),
    readInto: (area, ...rest) => span("read", area, () => store.readInto(area, ...rest)),
    local: (area, iid, sha256, work) => span("local", area, () => store.local(area, iid, sha256, work)),
    remove: (area, ...rest) => span("remove", area, () => store.remove(area, ...rest)),
  };
}
