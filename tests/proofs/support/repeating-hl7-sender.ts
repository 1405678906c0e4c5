import { ackCode, MllpSender } from "@arcada/testing/clients/mllp-client";

/** The expected outcome of a message: its answer, and the state in which the log has it. */
export interface SentMessage {
  control: string;
  segments: readonly string[];
  event: string;
  code: "AA" | "AE";
  state: "done" | "waiting" | "refused";
}
/** A message with the answer that its sender heard. */
export interface HeardMessage extends SentMessage {
  /** MSH-10 of the acknowledgement: a copy of the message must get the same one. */
  acknowledgement: string;
}

/** The number of messages that the sender repeats after each new connection, though it heard their answers. */
const lateRepeats = 3;

/**
 * A system with a queue: it sends a message again, on a new connection and with a new time in MSH-7, until it hears an
 * answer, and only then the next one. As some systems do, it also repeats its last messages after each break.
 */
export class RepeatingSender {
  readonly heard: HeardMessage[] = [];
  /** Answers of copies that differ from the first answer. */
  readonly contradictions: string[] = [];
  /** Messages that were sent more than once before their answer came. */
  repeated = 0;
  #isStopping = false;
  #sender: MllpSender | null = null;
  readonly #port: number;
  readonly #over: Promise<void>;

  /** @param messages is asked for the next message when the one before it was answered */
  constructor(port: number, messages: Iterator<SentMessage, void>) {
    this.#port = port;
    this.#over = this.#run(messages);
  }

  /** Resolves when the message under way is answered. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#over;
    this.#sender?.close();
  }

  async #run(messages: Iterator<SentMessage, void>): Promise<void> {
    while (!this.#isStopping) {
      const next = messages.next();
      if (next.done) return;
      this.heard.push({ ...next.value, acknowledgement: await this.#sendUntilHeard(next.value) });
    }
  }

  async #sendUntilHeard(message: SentMessage): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      if (attempt === 1) this.repeated += 1;
      const answer = await this.#try(message);
      if (answer !== null) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Returns MSH-10 of the answer; null if there was none. */
  async #try(message: SentMessage): Promise<string | null> {
    if (!this.#sender || this.#sender.socket.destroyed) {
      this.#sender = await MllpSender.open(this.#port).catch(() => null);
      if (!this.#sender || !(await this.#repeatLast(this.#sender))) return null;
    }
    return this.#exchange(this.#sender, message);
  }

  /** False if the connection ended again. */
  async #repeatLast(sender: MllpSender): Promise<boolean> {
    for (const message of this.heard.slice(-lateRepeats)) {
      const answer = await this.#exchange(sender, message);
      if (answer === null) return false;
      if (answer !== message.acknowledgement) this.contradictions.push(message.control);
    }
    return true;
  }

  async #exchange(sender: MllpSender, { control, event, segments, code }: SentMessage): Promise<string | null> {
    const time = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
    const head = `MSH|^~\\&|KIS||ARCADA||${time}||${event}|${control}|P|2.5||||||UNICODE UTF-8`;
    const answer = await sender.send([head, ...segments, ""].join("\r"));
    if (answer === null) return null;
    const [heardCode, about] = [ackCode(answer), answer.segment("MSA")?.get(2)];
    if (heardCode !== code || about !== control) this.contradictions.push(`${control}: ${heardCode} for ${about}`);
    return answer.segment("MSH")?.get(10) ?? "";
  }
}

/**
 * Yields the life of one patient after another, in an order in which a message that is done twice, or late, changes the
 * result: the telephone goes from 1 to 2, a request is made, changed and every third time cancelled, every fourth
 * patient is to be merged with the one before, and every fifth message about one has no patient.
 */
export function* writePatients(prefix: string): Generator<SentMessage, void> {
  let count = 0;
  for (let number = 0; ; number++) {
    const id = `${prefix}${number}`;
    const control = (): string => `${prefix}C${++count}`;
    const done = { code: "AA", state: "done" } as const;
    const pid = (phone: string): string => `PID|1||${id}^^^KIS^MR||${id}^Person||19850908|F|||||${phone}`;
    const order = (step: string, text: string): string[] => [
      pid("2"),
      `ORC|${step}|P${id}`,
      `OBR|1|P${id}||CT^${text}`,
    ];
    yield { ...done, control: control(), event: "ADT^A04", segments: [pid("")] };
    yield { ...done, control: control(), event: "ADT^A08", segments: [pid("1")] };
    yield { ...done, control: control(), event: "ADT^A08", segments: [pid("2")] };
    yield { ...done, control: control(), event: "ORM^O01", segments: order("NW", "first") };
    yield { ...done, control: control(), event: "ORM^O01", segments: order("XO", "second") };
    if (number % 3 === 2) yield { ...done, control: control(), event: "ORM^O01", segments: order("CA", "third") };
    if (number % 4 === 3) {
      const segments = [pid("2"), `MRG|${prefix}${number - 1}^^^KIS`];
      yield { control: control(), event: "ADT^A40", segments, code: "AA", state: "waiting" };
    }
    if (number % 5 === 4)
      yield { control: control(), event: "ADT^A04", segments: ["PV1|1"], code: "AE", state: "refused" };
  }
}
