import { Anchor, Stack, Text } from "@mantine/core";
import type { AuditEntry } from "@arcada/contract/operator/operator.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import type { useSetSearchParams } from "../browser/navigation.tsx";
import { formatAuditAction, formatOrderAction } from "../i18n/format-recorded-codes.ts";
import type { Translate } from "../i18n/texts.ts";
import type { Column } from "../ui/data-table.tsx";

type SetSearch = ReturnType<typeof useSetSearchParams>;

/** Clicking a person, an institution or a subject filters the list by it. */
export const buildColumns = (t: Translate, set: SetSearch): Column<AuditEntry>[] => [
  actionColumn(t),
  personColumn(t, set),
  organisationColumn(t),
  {
    key: "when",
    title: t("trail.when"),
    show: ({ at }) => <span className="arcada-figures">{formatTimestamp(at)}</span>,
  },
  subjectColumn(t, set),
  {
    key: "where",
    title: t("trail.where"),
    show: ({ address }) => (
      <span className="arcada-figures" dir="ltr">
        {address ?? "–"}
      </span>
    ),
  },
];

const actionColumn = (t: Translate): Column<AuditEntry> => ({
  key: "what",
  title: t("trail.what"),
  narrow: "head",
  show: ({ action, step }) => (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {formatAuditAction(t, action)}
      </Text>
      {step && (
        <Text size="sm" c="dimmed">
          {formatOrderAction(t, step)}
        </Text>
      )}
    </Stack>
  ),
});

const personColumn = (t: Translate, set: SetSearch): Column<AuditEntry> => ({
  key: "who",
  title: t("trail.who"),
  show: ({ person }) =>
    person ? (
      <Anchor component="button" type="button" size="sm" onClick={() => set({ person: person.id })}>
        {person.name || t("operator.audit.nameless")}
      </Anchor>
    ) : (
      t("trail.system")
    ),
});

const organisationColumn = (t: Translate): Column<AuditEntry> => ({
  key: "house",
  title: t("operator.audit.organisation"),
  show: ({ house }) =>
    house ? (
      <Anchor component={ScreenLink} screen="auditSearch" search={{ organisation: house.id }} size="sm">
        {house.name || house.id}
      </Anchor>
    ) : (
      t("operator.audit.noOrganisation")
    ),
});

const subjectColumn = (t: Translate, set: SetSearch): Column<AuditEntry> => ({
  key: "subject",
  title: t("operator.audit.subject"),
  show: ({ subject }) =>
    subject ? (
      <Anchor component="button" type="button" size="xs" dir="ltr" ta="start" onClick={() => set({ subject })}>
        {subject}
      </Anchor>
    ) : (
      "–"
    ),
});
