import { Anchor, Text } from "@mantine/core";
import type { OrderContact } from "@arcada/contract/order/order.schema";
import { useTexts } from "../../i18n/texts.ts";

/** The contact of an institution: person, phone or e-mail, and address. */
export function OrganisationContact({ contact }: { contact: OrderContact | null }) {
  if (!contact) return null;
  const { contactPerson, contactWay, address } = contact;
  const contactLine = [contactPerson, contactWay].filter(Boolean).join(" · ");
  return [contactLine, address].filter(Boolean).map((line) => (
    <Text key={line} size="xs" c="dimmed" dir="auto">
      {line}
    </Text>
  ));
}

/** Omitted if the institution does not disclose it. */
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
