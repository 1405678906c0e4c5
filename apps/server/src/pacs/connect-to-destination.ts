import type { PacsDestination, PacsProblem } from "@arcada/contract/pacs/pacs.calls";
import { commands, statusCodes } from "../dimse/command-set.ts";
import { AssociationFailed, openAssociation, type OpenAssociation } from "../dimse/open-association.ts";
import type { Proposal, RoleSelection } from "../dimse/pdu.ts";
import { explicitLittleEndian, implicitLittleEndian, verificationClass } from "../dimse/presentation-contexts.ts";
import type { Config } from "../platform/runtime/config.ts";
import { readTlsFiles } from "../platform/runtime/read-tls-files.ts";
import { resolveReachable } from "../platform/security/outbound-address-guard.ts";

export type PacsAddress = Pick<PacsDestination, "title" | "host" | "port" | "tls">;

/** An application that was not reached, or that did not do what it was asked for. */
export class DestinationFailed extends Error {
  override name = "DestinationFailed";
  readonly problem: PacsProblem;
  constructor(problem: PacsProblem, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

const resolveMs = 10_000;

/**
 * Opens an association to a destination of a clinic. The address to which its name resolves is checked each time: a
 * destination must not lead into networks that the operator has not allowed. Throws DestinationFailed.
 */
export async function connectToDestination(
  config: Config,
  { title, host, port, tls }: PacsAddress,
  proposals: readonly Proposal[],
  roles: readonly RoleSelection[] = [],
): Promise<OpenAssociation> {
  const files = tls ? readTlsFiles("DICOM", config) : null;
  const addresses = await resolveInTime(host, config);
  if (!addresses) throw new DestinationFailed("forbidden", `${host} is in a network that DICOM_NETWORKS does not name`);
  try {
    return await openAssociation(
      {
        addresses: addresses.map(({ address }) => address),
        host,
        port,
        calledTitle: title,
        callingTitle: config.DICOM_AE_TITLE,
        tls: tls ? (files ?? {}) : null,
      },
      proposals,
      roles,
    );
  } catch (error) {
    throw toDestinationFailure(error);
  }
}

async function resolveInTime(host: string, { DICOM_NETWORKS }: Config) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the name is not resolved in time")), resolveMs);
  try {
    return await Promise.race([resolveReachable(host, DICOM_NETWORKS), late.promise]);
  } catch (error) {
    throw new DestinationFailed("address", error instanceof Error ? error.message : "unknown name");
  } finally {
    clearTimeout(timer);
  }
}

export const toDestinationFailure = (error: unknown): DestinationFailed => {
  if (error instanceof DestinationFailed) return error;
  if (error instanceof AssociationFailed) return new DestinationFailed(error.problem, error.message);
  return new DestinationFailed("network", error instanceof Error ? error.message : "unknown");
};

/** Sends a C-ECHO. Throws DestinationFailed. */
export async function echoDestination(config: Config, address: PacsAddress): Promise<void> {
  const association = await connectToDestination(config, address, [
    { id: 1, abstractSyntax: verificationClass, transferSyntaxes: [explicitLittleEndian, implicitLittleEndian] },
  ]);
  try {
    const context = association.channel.contexts[0];
    if (!context) throw new DestinationFailed("rejected", "the application does not offer verification (C-ECHO)");
    const request = { field: commands.echo, sopClass: verificationClass, sopInstance: "" };
    const { status } = await association.channel.request(context.id, request);
    if (status !== statusCodes.success)
      throw new DestinationFailed("rejected", `the application answers C-ECHO with status ${status.toString(16)}`);
  } catch (error) {
    throw toDestinationFailure(error);
  } finally {
    await association.release();
  }
}
