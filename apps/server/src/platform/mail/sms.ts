import type { Config } from "../runtime/config.ts";
import type { JsonValue, SuccessCondition } from "../runtime/sms-settings.ts";
import { MailError } from "./message-types.ts";
import type { OutgoingMessage, SendMessage } from "./message-types.ts";

const smsLimits = { timeoutMs: 10_000, answerBytes: 64 * 1024, reportedCharacters: 200 } as const;

/** A text message that the provider did not accept. */
export class SmsError extends MailError {
  override name = "SmsError";
  /** The beginning of the provider's answer. It may name the recipient, so it is not for the log. */
  readonly answer: string;
  constructor(message: string, isPermanent: boolean, answer = "") {
    super(message, isPermanent);
    this.answer = answer.slice(0, smsLimits.reportedCharacters);
  }
}

type SmsConfig = Pick<
  Config,
  "SMS_TOKEN" | "SMS_USER" | "SMS_HEADERS" | "SMS_FORMAT" | "SMS_BODY" | "SMS_SUCCESS" | "SMS_TEMPLATES"
>;

/**
 * Sends text messages by one POST to a provider. The address is a setting of the operator, like that of the mail
 * server, so it may be in a private network; no redirect is followed.
 */
export function openSms(config: SmsConfig, url: string, timeoutMs: number = smsLimits.timeoutMs): SendMessage {
  return async (message, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const request = buildRequest(config, message);
    try {
      const response = await fetch(url, {
        ...request,
        method: "POST",
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      await checkResponse(response, config.SMS_SUCCESS);
    } catch (error) {
      throw error instanceof SmsError ? error : new SmsError(`sms ${nameProblem(error)}`, false);
    }
  };
}

/** Builds headers and body. Placeholders are replaced in texts only, so no value can break the JSON or the form. */
function buildRequest(config: SmsConfig, message: OutgoingMessage): { headers: Headers; body: string } {
  const values = { ...placeholdersOf(config, message), token: config.SMS_TOKEN ?? "" };
  const isForm = config.SMS_FORMAT === "form";
  const headers = new Headers({
    accept: "application/json",
    "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
    ...authorizationOf(config),
  });
  for (const [name, text] of Object.entries(config.SMS_HEADERS)) headers.set(name, fillText(text, values));
  const body = fillValue(config.SMS_BODY, values);
  return { headers, body: isForm ? toForm(body) : JSON.stringify(body) };
}

function authorizationOf(config: SmsConfig): Record<string, string> {
  const { SMS_TOKEN: token, SMS_USER: user, SMS_HEADERS: headers, SMS_BODY: body } = config;
  if (token === undefined) return {};
  if (user !== undefined) return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}` };
  // A token that the operator has placed somewhere is sent to that place only.
  return JSON.stringify([headers, body]).includes("{token}") ? {} : { authorization: `Bearer ${token}` };
}

type Placeholders = Readonly<Record<string, string>>;
function placeholdersOf({ SMS_TEMPLATES: templates }: SmsConfig, message: OutgoingMessage): Placeholders {
  const { id, to, text, name, language, values } = message;
  const template = templates?.[`${name}.${language}`] ?? templates?.[name];
  if (templates && template === undefined) throw new SmsError(`sms: no template for ${name}`, true);
  return {
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)])),
    id,
    to,
    digits: to.replace(/\D/g, ""),
    text,
    language,
    template: template ?? "",
  };
}

/** Leaves braces with any other word as they are: they may be JSON within a text. */
const fillText = (text: string, values: Placeholders): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
function fillValue(value: JsonValue, values: Placeholders): JsonValue {
  if (typeof value === "string") return fillText(value, values);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillValue(one, values)]));
}
const toForm = (body: JsonValue): string =>
  new URLSearchParams(
    Object.entries(body as Record<string, JsonValue>).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ).toString();

async function checkResponse(response: Response, success: SuccessCondition | undefined): Promise<void> {
  if (response.ok && success === undefined) return void response.body?.cancel();
  const { text, isWhole } = await readAnswer(response);
  if (!response.ok) throw new SmsError(`sms ${response.status}`, isFinal(response.status), text);
  if (!isWhole) throw new SmsError("sms: the answer is too large", false);
  if (!meets(text, success!)) throw new SmsError(`sms: the answer lacks ${success!.path.join(".")}`, false, text);
}

/** A request that is wrong today is wrong tomorrow; these two ask for patience. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

async function readAnswer({ body }: Response): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += (chunk as Uint8Array).length;
    // Leaving the loop cancels the rest.
    if (bytes > smsLimits.answerBytes) return { text: "", isWhole: false };
    chunks.push(chunk as Uint8Array);
  }
  return { text: Buffer.concat(chunks).toString("utf8"), isWhole: true };
}

function meets(text: string, { path, value }: SuccessCondition): boolean {
  try {
    let place = JSON.parse(text) as unknown;
    for (const name of path) place = (place as Record<string, unknown> | null | undefined)?.[name];
    const isScalar = typeof place === "string" || typeof place === "number" || typeof place === "boolean";
    return isScalar && String(place) === value;
  } catch {
    return false;
  }
}

/** Names the kind of a failed connection; the message of the system contains addresses. */
function nameProblem(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === "TimeoutError" || name === "AbortError") return "timeout";
  return cause?.code ?? "network";
}
