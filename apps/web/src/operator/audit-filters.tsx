import { Badge, CloseButton, Group, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { AuditEntry } from "@arcada/contract/operator/operator.calls";
import { auditGroups } from "@arcada/contract/audit/audit.calls";
import { useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import type { AuditFilter } from "./audit-filter.ts";
import classes from "./operator.module.css";
import { DayField } from "../ui/form/day-field.tsx";

/** Stored in the address, so that a result can be shared with a colleague. The entries found tell the chosen names. */
export function AuditFilters({ filter, entries }: { filter: AuditFilter; entries: readonly AuditEntry[] }) {
  const t = useTexts("operator", "trail");
  const set = useSetSearchParams();
  const names = {
    organisation:
      filter.organisation === "none"
        ? t("operator.audit.noOrganisation")
        : entries.find(({ house }) => house?.id === filter.organisation)?.house?.name,
    person: entries.find(({ person }) => person?.id === filter.person)?.person?.name,
    subject: filter.subject,
  };
  return (
    <>
      <div className={classes.filters} role="group" aria-label={t("trail.filter")}>
        <OrganisationSelect />
        <PersonSelect />
        <Select
          label={t("trail.group")}
          placeholder={t("trail.anyGroup")}
          clearable
          searchable
          clearButtonProps={{ "aria-label": t("common.clear") }}
          nothingFoundMessage={t("common.nothingFound")}
          data={([...auditGroups, "operator"] as const).map((group) => ({
            value: group,
            label: t(`trail.groups.${group}`),
          }))}
          value={filter.action ?? null}
          onChange={(action) => set({ action: action ?? undefined })}
        />
        {(["from", "to"] as const).map((end) => (
          <DayField
            key={end}
            label={t(`trail.${end}`)}
            value={filter[end] ?? ""}
            onChange={(day) => set({ [end]: day })}
          />
        ))}
      </div>
      <Group px="md" pb="sm" gap="xs">
        {(["organisation", "person", "subject"] as const)
          .filter((field) => filter[field])
          .map((field) => (
            <Badge
              key={field}
              size="lg"
              variant="light"
              rightSection={
                <CloseButton
                  size="xs"
                  aria-label={t(`operator.audit.clear.${field}`)}
                  onClick={() => set({ [field]: undefined })}
                />
              }
            >
              {names[field] || t(`operator.audit.only.${field}`)}
            </Badge>
          ))}
      </Group>
    </>
  );
}

/** The server searches the typed text. The filter changes only when a row is chosen. */
function useSearchText() {
  const [typed, setTyped] = useState("");
  const [searchText] = useDebouncedValue(typed.trim(), 300);
  return { typed, setTyped, sought: searchText };
}

function OrganisationSelect() {
  const t = useTexts("operator", "trail");
  const set = useSetSearchParams();
  const { typed, setTyped, sought: searchText } = useSearchText();
  const found = useCall(
    operatorCalls.organisations,
    { search: searchText },
    { enabled: searchText !== "", keepPrevious: true },
  ).data;
  return (
    <Select
      label={t("operator.audit.organisation")}
      placeholder={t("operator.organisations.search")}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={searchText && t("common.nothingFound")}
      data={
        searchText
          ? (found?.list ?? []).map(({ id, name, number }) => ({ value: id, label: `${name} · ${number}` }))
          : [{ value: "none", label: t("operator.audit.noOrganisation") }]
      }
      value={null}
      onChange={(organisation) => {
        setTyped("");
        set({ organisation: organisation ?? undefined });
      }}
    />
  );
}

function PersonSelect() {
  const t = useTexts("operator", "trail");
  const set = useSetSearchParams();
  const { typed, setTyped, sought: searchText } = useSearchText();
  const found =
    useCall(operatorCalls.people, { search: searchText }, { enabled: searchText !== "", keepPrevious: true }).data ??
    [];
  return (
    <Select
      label={t("trail.person")}
      placeholder={t("operator.audit.personHint")}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={searchText && t("common.nothingFound")}
      data={(searchText ? found : []).map(({ id, name, contact }) => ({
        value: id,
        label: [name, contact].filter(Boolean).join(" · "),
      }))}
      value={null}
      onChange={(person) => {
        setTyped("");
        set({ person: person ?? undefined });
      }}
    />
  );
}
