import { Badge, CloseButton, Select, SimpleGrid } from "@mantine/core";
import { auditCalls, auditGroups } from "@arcada/contract/audit/audit.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { DayField } from "../ui/form/day-field.tsx";

type Filter = Input<typeof auditCalls.export>;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the filter from the address. Unknown values are ignored. */
export function parseFilter({ user, group, from, to, patient }: SearchParams): Filter {
  const knownGroup = auditGroups.find((one) => one === group);
  return {
    ...(user && uuidPattern.test(user) && { user }),
    ...(knownGroup && { group: knownGroup }),
    ...(from && dayPattern.test(from) && { from }),
    ...(to && dayPattern.test(to) && { to }),
    ...(patient && uuidPattern.test(patient) && { patient }),
  };
}

/** Stored in the address, so that an audit log can be shared with a colleague. */
export function AuditFilters() {
  const t = useTexts("trail");
  const search = useSearchParams();
  const set = useSetSearchParams();
  const people = useCall(auditCalls.people, {}).data ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" role="group" aria-label={t("trail.filter")}>
      <Select
        label={t("trail.person")}
        placeholder={t("trail.anyone")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("common.clear") }}
        nothingFoundMessage={t("common.nothingFound")}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={search["user"] ?? null}
        onChange={(user) => set({ user: user ?? undefined })}
      />
      <Select
        label={t("trail.group")}
        placeholder={t("trail.anyGroup")}
        clearable
        clearButtonProps={{ "aria-label": t("common.clear") }}
        data={auditGroups.map((group) => ({ value: group, label: t(`trail.groups.${group}`) }))}
        value={search["group"] ?? null}
        onChange={(group) => set({ group: group ?? undefined })}
      />
      {(["from", "to"] as const).map((end) => (
        <DayField
          key={end}
          label={t(`trail.${end}`)}
          value={search[end] ?? ""}
          onChange={(dayPattern) => set({ [end]: dayPattern })}
        />
      ))}
      {search["patient"] && (
        <Badge
          size="lg"
          variant="light"
          rightSection={
            <CloseButton size="xs" aria-label={t("trail.patientClear")} onClick={() => set({ patient: undefined })} />
          }
        >
          {t("trail.patient")}
        </Badge>
      )}
    </SimpleGrid>
  );
}
