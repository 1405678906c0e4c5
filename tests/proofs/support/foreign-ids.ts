import type { Member } from "@arcada/contract/member/member.calls";

/** The answer without the ids that were sent, which it may echo, and the signed ends of addresses, which change every two minutes. */
export const removeIds = (data: unknown, input: Record<string, unknown>): string => {
  const ids = JSON.stringify(input).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  const timeless = JSON.stringify(data).replaceAll(/([?&](?:e|s)=)[\w-]+/g, "$1");
  return ids.reduce((text, id) => text.replaceAll(id, "ID"), timeless);
};

/** A member of another organisation is neither moved nor given the work of one's own. */
export const memberUpdates = (ownMember: Member, foreignMember: Member) => {
  const step = (id: string, more: object = {}) => ({ id, action: "kickOut", ...more });
  const unknown = crypto.randomUUID();
  return [
    { call: "member.update" as const, foreign: step(foreignMember.id), unknown: step(unknown) },
    {
      call: "member.update" as const,
      foreign: step(ownMember.id, { colleagueId: foreignMember.userId }),
      unknown: step(ownMember.id, { colleagueId: unknown }),
    },
  ];
};
