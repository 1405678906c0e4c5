import { Agent, request } from "node:http";
import { roundSeconds } from "./figure-table.ts";

const connections = 8;

/**
 * Returns the requests per second for these addresses one after another, each once before the first is repeated, over
 * eight connections.
 */
export async function measureRoundRobin(urls: readonly string[], headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const from = performance.now();
  const end = from + roundSeconds * 1000;
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) await requestOnce(urls[sent++ % urls.length], headers, agent);
  };
  await Promise.all(Array.from({ length: connections }, lane));
  agent.destroy();
  return sent / ((performance.now() - from) / 1000);
}

const requestOnce = (url: string, headers: Record<string, string>, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.once("end", resolve).once("error", reject).resume();
    });
    asked.once("error", reject).end();
  });
