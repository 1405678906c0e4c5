import { readFileSync } from "node:fs";

/** The settings that are secrets, or may contain one. */
const secretSettings = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_READ_URL",
  "SECRET_KEY",
  "OIDC_PROVIDERS",
  "SMTP_URL",
  "SMS_URL",
  "SMS_TOKEN",
  "SMS_HEADERS",
  "SMS_BODY",
  "S3_ACCESS_KEY",
  "S3_SECRET_KEY",
  "METRICS_TOKEN",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the secrets that are given as files: the content of the file that NAME_FILE names becomes NAME. Other users of
 * a machine can read the environment of a container or a unit, and a file only if its mode lets them.
 * @param given the environment without empty values
 */
export function readSecretFiles(given: Environment): { secrets: Record<string, string>; problems: string[] } {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const name of secretSettings) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    const found = given[name] === undefined ? readSecret(file) : { problem: `cannot be set beside ${name}` };
    if ("secret" in found) secrets[name] = found.secret;
    else problems.push(`${name}_FILE: ${found.problem}`);
  }
  return { secrets, problems };
}

function readSecret(file: string): { secret: string } | { problem: string } {
  try {
    // Editors and `echo` end a file with a line break; a second one belongs to the secret.
    const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return secret === "" ? { problem: `${file} is empty` } : { secret };
  } catch (error) {
    return { problem: `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}
