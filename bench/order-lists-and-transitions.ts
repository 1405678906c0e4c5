import path from "node:path";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { compareRuns, measureP95, figurePair } from "./lib/compare-runs.ts";
import type { Figure } from "./lib/figure-table.ts";
import { datasetFolder, loadOrCreate } from "./lib/dataset-cache.ts";
import { readAnswer } from "./lib/read-response-data.ts";
import { createOrderDataset } from "./data/order-dataset.ts";
import type { OrderDataset } from "./data/order-dataset.ts";
import { measureTransitions } from "./order-transitions.ts";

/** The number of orders of the small and of the large lab; smaller for a trial. */
const sizes = (process.env.ARCADA_BENCH_ORDERS ?? "10000,1000000").split(",").map(Number);
export const orderParts = ["lists", "steps"] as const;

/**
 * Measures pages of a lab's orders at two sizes (`lists`), and the transitions per second of fifty people (`steps`).
 */
export async function measureOrders(
  parts: readonly (typeof orderParts)[number][],
  say: (line: string) => void,
): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" }, datasetFolder);
  try {
    await product.start();
    // Stop the product: its job that indexes the text of orders would scan for them repeatedly while they are created
    // and no index exists.
    await product.stop();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const datasets: OrderDataset[] = [];
      for (const size of parts.includes("lists") ? sizes : sizes.slice(0, 1)) {
        const made = async () => {
          say(`A lab of ${size.toLocaleString("en")} orders is made …`);
          return createOrderDataset(postgres.connection, size);
        };
        datasets.push(await loadOrCreate(product.folder, `orders-${size}`, made));
      }
      await product.start();
      const figures: Figure[] = [];
      if (parts.includes("lists")) {
        say("Pages of their orders …");
        figures.push(...(await measurePages(product, datasets)));
      }
      if (parts.includes("steps")) {
        say("Transitions of fifty at once …");
        figures.push(...(await measureTransitions(product, datasets[0], postgres.connection)));
      }
      return figures;
    } finally {
      await postgres.stop();
    }
  } finally {
    await (datasetFolder ? product.stop() : product.remove());
  }
}

type ListRequest = (
  name: string,
  query?: Record<string, string>,
) => Promise<{ list: { number: string }[]; next: string | null }>;

async function measurePages(product: Product, datasets: readonly OrderDataset[]): Promise<Figure[]> {
  const requests = datasets.map(
    ({ lab }): ListRequest =>
      (name, query = {}) =>
        get(product.address, lab.token, name, query),
  );
  const [small, large] = requests as [ListRequest, ListRequest];
  const [depths, numbers] = [
    await Promise.all(requests.map(middleCursor)),
    await Promise.all(requests.map(newestNumber)),
  ];
  const pages: Record<string, (ask: ListRequest, place: number) => Promise<unknown>> = {
    "first page": (ask) => ask("list"),
    "page in the middle, by its cursor": (ask, place) => ask("list", { cursor: depths[place] }),
    "first page of a state": (ask) => ask("list", { state: "completed" }),
    "first page by patient": (ask) => ask("list", { sort: "patient" }),
    "an order's number": (ask, place) => ask("list", { search: numbers[place] }),
    "a Chinese name of two signs": (ask) => ask("list", { search: "王伟" }),
    "counts of the tabs": (ask) => ask("counts"),
    "the day": (ask) => ask("today"),
    "the board": (ask) => ask("today", { view: "board" }),
  };
  const pids = [product.pid, product.postmasterPid()];
  const figures: Figure[] = [];
  for (const [what, requestPage] of Object.entries(pages)) {
    await Promise.all(requests.map(requestPage));
    const { small: peer, large: ours } = await compareRuns<"small" | "large">(
      {
        small: () => measureP95(pids, () => requestPage(small, 0)),
        large: () => measureP95(pids, () => requestPage(large, 1)),
      },
      rounds,
    );
    const titles = {
      what: `orders of a lab with ${sizes[1].toLocaleString("en")}, ${what}, p95`,
      peer: `the same with ${sizes[0].toLocaleString("en")}`,
      unit: "ms",
      goal: { most: 1.3 },
    };
    figures.push(...figurePair({ ...(ours && { ours }), ...(peer && { peer }) }, titles));
  }
  return figures;
}

const get = async <T>(address: string, token: string, name: string, query: Record<string, string>): Promise<T> =>
  readAnswer(
    await fetch(`${address}/v1/order/${name}?${new URLSearchParams(query).toString()}`, { headers: { token } }),
  );

const middleCursor = async (ask: ListRequest, place: number): Promise<string> =>
  (await ask("list", { page: String(Math.floor(sizes[place] / 40)) })).next!;
const newestNumber = async (ask: ListRequest): Promise<string> => (await ask("list")).list[3].number;

const rounds = 5;
