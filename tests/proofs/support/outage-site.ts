import { createHash, randomFillSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { SmtpPeer } from "@arcada/testing/peers/smtp-peer";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { TestServer } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { openDatabase } from "../../../apps/server/src/platform/database/database.ts";
import type { RunningServer } from "../../../apps/server/src/start.ts";
import { waitForIngest } from "../../../demo/wait-for-ingest.ts";

export interface Site {
  product: Product;
  mailServer: SmtpPeer;
  clinic: TestUser;
  lab: TestUser;
  patientId: string;
  order: OrderWork;
  /** The address of a stored file. */
  file: string;
  events: EventReader;
}

/** A clinic and a lab with an order at a product whose parts the test may take away. */
export async function openSite(
  environment: Record<string, string>,
  databaseUrl: string,
  cleanups: (() => unknown)[],
): Promise<Site> {
  const mailServer = await new SmtpPeer().start();
  const product = new Product({ SMTP_URL: mailServer.url, ...environment });
  cleanups.push(
    () => mailServer.stop(),
    () => product.remove(),
  );
  await product.start();
  const database = openDatabase({ connectionString: databaseUrl }, 1);
  const made = new TestServer({ database, address: product.address } as RunningServer);
  const clinic = await made.createUser("clinicAdmin", await made.createInstitution("clinic"));
  const lab = await made.createUser("factoryAdmin", await made.createInstitution("lab"));
  await database.close();
  const asked = await lab.call("relation.step", { action: "request", iid: clinic.iid });
  await clinic.call("relation.step", { action: "accept", id: asked.id });
  const patient = await clinic.call("patient.create", { name: "Outage", sex: "other", birthDate: "1990-01-01" });
  const order = await clinic.call("order.save", { ...prescription(patient.id, lab.iid), send: true });
  const [file] = await storeImage(clinic, patient.id, await clinic.upload("first.dcm", drawImage("first", 64)));
  const events = new EventReader(product, clinic.token);
  cleanups.push(() => events.stop());
  return {
    product,
    mailServer,
    clinic,
    lab,
    patientId: patient.id,
    order: new OrderWork(order.id, clinic, lab),
    file: present(file, "file"),
    events,
  };
}

/** Asks for a code by email to register an account; returns the code of the answer. */
export async function requestCode({ product }: Site, account: string): Promise<number> {
  const human = await solveHumanCheck(await product.call(signInCalls.humanChallenge, {}));
  return (await product.ask(signInCalls.sendCode, { account, purpose: "register", human })).code;
}

/** An order that a lab asks about and the clinic answers, again and again. */
class OrderWork {
  acknowledged = 0;
  readonly id: string;
  readonly #clinic: TestUser;
  readonly #lab: TestUser;
  #version = 0;
  #running: Promise<void> | null = null;
  #isOver = false;
  constructor(id: string, clinic: TestUser, lab: TestUser) {
    this.id = id;
    this.#clinic = clinic;
    this.#lab = lab;
  }
  run(): void {
    this.#running = this.#work();
  }
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }
  async findLost(): Promise<string | null> {
    const { version } = await this.#clinic.call("order.detail", { id: this.id });
    return version < this.#version ? `version ${this.#version} was acknowledged, and it is ${version}` : null;
  }
  async #work(): Promise<void> {
    for (; !this.#isOver; await sleep(50)) await this.#step().catch(() => {});
  }
  async #step(): Promise<void> {
    const { id } = this;
    const { version, infoRequest } = await this.#clinic.call("order.detail", { id });
    const [who, action] = infoRequest === null ? [this.#lab, "requestInfo"] : [this.#clinic, "supplyInfo"];
    const answer = await who.ask("order.step", { id, version, action, text: "A2?" });
    if (answer.code !== 200) return;
    this.#version = present(answer.data, "order").version;
    this.acknowledged++;
  }
}

/** Reads a person's event stream, and opens it again when it ends, as a page does. */
class EventReader {
  readonly #product: Product;
  readonly #token: string;
  readonly #stopping = new AbortController();
  #text = "";
  constructor(product: Product, token: string) {
    this.#product = product;
    this.#token = token;
    void this.#run();
  }
  /** Returns the number of events about this subject. */
  count(id: string): number {
    return this.#text.split(id).length - 1;
  }
  stop(): void {
    this.#stopping.abort();
  }
  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (; !signal.aborted; await sleep(300)) await this.#read(signal).catch(() => {});
  }
  async #read(signal: AbortSignal): Promise<void> {
    const answer = await fetch(`${this.#product.address}/v1/notice/stream`, {
      headers: { token: this.#token },
      signal,
    });
    for await (const text of present(answer.body, "body").pipeThrough(new TextDecoderStream())) this.#text += text;
  }
}

/** A grey image of that many rows and columns of 16 bits. */
export const drawImage = (name: string, side: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    makeImageFixture(
      [
        [0x00280010, "US", side],
        [0x00280011, "US", side],
        [0x7fe00010, "OW", randomFillSync(new Uint16Array(side * side))],
      ],
      name,
    ).bytes,
  );
export const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Takes an upload in as a study, and returns the addresses of its originals. */
export async function storeImage(clinic: TestUser, patientId: string, upload: string): Promise<string[]> {
  const opened = await clinic.call("study.open", { patientId, uploads: [upload], acceptMismatch: true });
  const done = await waitForIngest(() => clinic.call("study.job", { id: opened.id }));
  expect(done).toMatchObject({ state: "done", refused: [] });
  const study = await clinic.call("study.detail", { id: present(done.studies[0], "study") });
  return study.series.flatMap(({ instances }) => instances.map(({ originalUrl }) => present(originalUrl, "original")));
}
