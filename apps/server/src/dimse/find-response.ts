import { setImmediate as turn } from "node:timers/promises";
import { commands } from "./command-set.ts";
import type { DimseService, ServiceRequest } from "./service.ts";

/** Returns the results of a search, each as the data set that is sent. */
export type FindHandler = (search: ServiceRequest) => Promise<Iterable<Buffer> | AsyncIterable<Buffer>>;

/** C-FIND of one information model: sends the results of a search one by one, until it is cancelled. */
export const createFindService = (abstractSyntax: string, find: FindHandler): DimseService => ({
  field: commands.find,
  abstractSyntax,
  run: async ({ request, respond, isCancelled }) => {
    for await (const found of await find(request)) {
      // Messages from the peer, such as a cancellation, are processed between two responses.
      await turn();
      if (isCancelled()) break;
      await respond("pending", {}, found);
    }
    await respond(isCancelled() ? "cancelled" : "success");
  },
});
