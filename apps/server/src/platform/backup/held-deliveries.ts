import pg from "pg";

/**
 * A queue of messages that leave the instance. Everything that waited at the moment of a backup has probably been sent
 * since, so after a restore it waits until an operator releases it. Messages of later events are sent as usual.
 */
export interface DeliveryQueue {
  /** Statements that postpone waiting messages by `heldYears`, and undo that. */
  hold: string;
  release: string;
  role: "arcada_system" | null;
}

/** Held messages are postponed by this time: no queue needs a state of its own for them. */
const heldYears = 1000;

/** Declares a queue by its table, its time column and the condition of waiting rows. */
export function defineDeliveryQueue(
  role: DeliveryQueue["role"],
  table: string,
  times: readonly [string, ...string[]],
  waiting: string,
): DeliveryQueue {
  const move = (sign: "+" | "-") => times.map((time) => `${time} = ${time} ${sign} interval '${heldYears} years'`);
  const limit = `now() + interval '${heldYears / 2} years'`;
  return {
    role,
    hold: `update ${table} set ${move("+").join(", ")} where ${waiting} and ${times[0]} < ${limit}`,
    release: `update ${table} set ${move("-").join(", ")} where ${waiting} and ${times[0]} >= ${limit}`,
  };
}

/** Holds all waiting messages; returns their number. */
export const holdDeliveries = (connection: pg.PoolConfig, queues: readonly DeliveryQueue[]): Promise<number> =>
  runEach(connection, queues, "hold");

export const releaseDeliveries = (connection: pg.PoolConfig, queues: readonly DeliveryQueue[]): Promise<number> =>
  runEach(connection, queues, "release");

async function runEach(
  connection: pg.PoolConfig,
  queues: readonly DeliveryQueue[],
  what: "hold" | "release",
): Promise<number> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("begin");
    let changed = 0;
    for (const queue of queues) {
      await client.query(queue.role ? `set local role ${queue.role}` : "reset role");
      changed += (await client.query(queue[what])).rowCount ?? 0;
    }
    await client.query("commit");
    return changed;
  } finally {
    await client.end();
  }
}
