import type { Output } from "@arcada/contract/kernel/call";
import type { shareCalls } from "@arcada/contract/share/share.calls";
import type { Answer, CallName, TestUser, TestServer } from "../setup/test-server.ts";

/** Creates a link to a study as a member would. By default the factor is the birth date. */
export const createShare = (
  member: TestUser,
  studyId: string,
  more: object = {},
): Promise<Output<typeof shareCalls.create>> =>
  member.call("share.create", {
    kind: "study",
    id: studyId,
    label: "Dr. Li",
    factor: { kind: "birthDate" },
    warned: true,
    ...more,
  });

/** A visitor with a link and a browser: its cookies, and the session that the page stores. */
export class Guest {
  readonly server: TestServer;
  readonly cookies = new Map<string, string>();
  sessionToken = "";
  constructor(server: TestServer) {
    this.server = server;
  }
  headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { ...(this.sessionToken && { visit: this.sessionToken }), ...(cookie && { cookie }) };
  }
  ask<N extends CallName>(name: N, input: Record<string, unknown>) {
    return this.server.ask(name, input, this.headers());
  }
  /** A file or an archive, as the guest's browser asks for it. */
  fetch(path: string): Promise<Response> {
    return fetch(`${this.server.address}${path}`, { headers: this.headers() });
  }
  async open(secret: string, factor?: string): Promise<Answer<Output<typeof shareCalls.open>>> {
    const answer = await this.server.ask(
      "share.open",
      { secret, ...(factor !== undefined && { factor }) },
      this.headers(),
    );
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0].split("=");
      this.cookies.set(name, value);
    }
    if (answer.code === 200) this.sessionToken = answer.data.visit;
    return answer;
  }
}
export const newGuest = (server: TestServer): Guest => new Guest(server);

/** Returns the headers with both halves of a guest session for a study whose patient was born on this day. */
export async function guestSessionHeaders(member: TestUser, studyId: string, birthDate = "1988-04-12") {
  const { secret } = await createShare(member, studyId, { allowDownload: true });
  const guest = newGuest(member.server);
  await guest.open(secret, birthDate);
  return guest.headers();
}
