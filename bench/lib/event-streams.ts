import { Agent, get } from "node:http";

/** Opens this many event streams with each token. Returns a function that closes all of them. */
export async function openEventStreams(address: string, tokens: readonly string[], each: number): Promise<() => void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  for (const token of tokens) for (let stream = 0; stream < each; stream++) await openStream(agent, address, token);
  return () => agent.destroy();
}

function openStream(agent: Agent, address: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${address}/v1/notice/stream`, { agent, headers: { token } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
      answer.on("error", () => {}).resume();
      resolve();
    }).on("error", reject);
  });
}
