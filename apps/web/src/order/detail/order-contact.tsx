import { Anchor, Text } from "@mantine/core";
import type { OrderContact } from "@arcada/contract/order/order.parts";
import { useTexts } from "../../kernel/texts.ts";

/** Whom one reaches at an organisation, how, and where it is. */
export function OrganisationContact({ contact }: { contact: OrderContact | null }) {
  if (!contact) return null;
  const { contactPerson, contactWay, address } = contact;
  const reached = [contactPerson, contactWay].filter(Boolean).join(" · ");
  return [reached, address].filter(Boolean).map((line) => (
    <Text key={line} size="xs" c="dimmed" dir="auto">
      {line}
    </Text>
  ));
}

/** Left out where the organisation keeps it to itself. */
export function PhoneLine({ phone }: { phone: string | null | undefined }) {
  const t = useTexts("order");
  if (!phone) return null;
  return (
    <Text size="xs">
      <Anchor href={`tel:${phone.replace(/[^+\d]/g, "")}`} size="xs" aria-label={t("order.detail.call", { phone })}>
        <bdi dir="ltr">{phone}</bdi>
      </Anchor>
    </Text>
  );
}
