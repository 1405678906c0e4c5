import path from "node:path";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "../tests/product.ts";
import { besides, p95, pairOf } from "./besides.ts";
import type { Figure } from "./figures.ts";
import { keptFolder, keptIn } from "./kept.ts";
import { answered } from "./order-answer.ts";
import { makeOrderHouse } from "./order-house.ts";
import type { OrderHouse } from "./order-house.ts";
import { measureSteps } from "./order-steps.ts";

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
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" }, keptFolder);
  try {
    await product.start();
    // Stop the product: its job that indexes the text of orders would scan for them repeatedly while they are created
    // and no index exists.
    await product.stop();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const houses: OrderHouse[] = [];
      for (const size of parts.includes("lists") ? sizes : sizes.slice(0, 1)) {
        const made = async () => {
          say(`A lab of ${size.toLocaleString("en")} orders is made …`);
          return makeOrderHouse(postgres.connection, size);
        };
        houses.push(await keptIn(product.folder, `orders-${size}`, made));
      }
      await product.start();
      const figures: Figure[] = [];
      if (parts.includes("lists")) {
        say("Pages of their orders …");
        figures.push(...(await measurePages(product, houses)));
      }
      if (parts.includes("steps")) {
        say("Transitions of fifty at once …");
        figures.push(...(await measureSteps(product, houses[0]!, postgres.connection)));
      }
      return figures;
    } finally {
      await postgres.stop();
    }
  } finally {
    await (keptFolder ? product.stop() : product.remove());
  }
}

type Ask = (
  name: string,
  query?: Record<string, string>,
) => Promise<{ list: { number: string }[]; next: string | null }>;

async function measurePages(product: Product, houses: readonly OrderHouse[]): Promise<Figure[]> {
  const asks = houses.map(
    ({ lab }): Ask =>
      (name, query = {}) =>
        get(product.address, lab.token, name, query),
  );
  const [small, large] = asks as [Ask, Ask];
  const [depths, numbers] = [await Promise.all(asks.map(middle)), await Promise.all(asks.map(newest))];
  const looks: Record<string, (ask: Ask, place: number) => Promise<unknown>> = {
    "first page": (ask) => ask("list"),
    "page in the middle, by its cursor": (ask, place) => ask("list", { cursor: depths[place]! }),
    "first page of a state": (ask) => ask("list", { state: "completed" }),
    "first page by patient": (ask) => ask("list", { sort: "patient" }),
    "an order's number": (ask, place) => ask("list", { search: numbers[place]! }),
    "a Chinese name of two signs": (ask) => ask("list", { search: "王伟" }),
    "counts of the tabs": (ask) => ask("counts"),
  };
  const pids = [product.pid, product.postmaster()];
  const figures: Figure[] = [];
  for (const [what, look] of Object.entries(looks)) {
    await Promise.all(asks.map(look));
    const { small: peer, large: ours } = await besides<"small" | "large">(
      { small: () => p95(pids, () => look(small, 0)), large: () => p95(pids, () => look(large, 1)) },
      rounds,
    );
    const titles = {
      what: `orders of a lab with ${sizes[1]!.toLocaleString("en")}, ${what}, p95`,
      peer: `the same with ${sizes[0]!.toLocaleString("en")}`,
      unit: "ms",
      goal: { most: 1.3 },
    };
    figures.push(...pairOf({ ...(ours && { ours }), ...(peer && { peer }) }, titles));
  }
  return figures;
}

const get = async <T>(address: string, token: string, name: string, query: Record<string, string>): Promise<T> =>
  answered(await fetch(`${address}/v1/order/${name}?${new URLSearchParams(query).toString()}`, { headers: { token } }));

const middle = async (ask: Ask, place: number): Promise<string> =>
  (await ask("list", { page: String(Math.floor(sizes[place]! / 40)) })).next!;
const newest = async (ask: Ask): Promise<string> => (await ask("list")).list[3]!.number;

const rounds = 5;
