import { Button, Chip, Fieldset, Group, Select, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { listCalls } from "@arcada/contract/order/order-list.calls";
import {
  deliveries,
  orderLists,
  orderSorts,
  parseStates,
  remakeFilters,
} from "@arcada/contract/order/order-list.filter";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { orderTasks, taskRules } from "@arcada/contract/order/order-tasks";
import { clinicRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { caseTypes } from "@arcada/contract/order/order.rules";
import { useSetSearchParams } from "../../browser/navigation.tsx";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import classes from "./order-filters.module.css";
import { foldedFields, getSort } from "./use-filtered-orders.ts";
import type { OrderFilter } from "./use-filtered-orders.ts";
import { DayField } from "../../ui/form/day-field.tsx";

/** The filters besides state, turn and search text. */
export function MoreFilters({ filter }: { filter: OrderFilter }) {
  const t = useTexts("order");
  const setSearch = useSetSearchParams();
  // A clinic sends orders and receives none.
  const isClinic = hasAccess(clinicRoles, useRole());
  const tasks = orderTasks.filter((task) => !isClinic || taskRules[task].list === "sent");
  const choices = useCall(listCalls.choices, {}).data;
  const [clearCount, setClearCount] = useState(0);
  const clear = () => {
    setSearch(Object.fromEntries(foldedFields.map((field) => [field, undefined])));
    setClearCount((count) => count + 1);
  };
  return (
    <Stack gap="sm" className={classes.more!} role="group" aria-label={t("order.list.filters")}>
      {/* An unfinished day is only in its field, so new fields replace those with cleared values. */}
      <div key={clearCount} className={classes.fields}>
        <FilterSelect
          field="task"
          filter={filter}
          data={tasks.map((one) => ({ value: one, label: t(`order.task.${one}`) }))}
        />
        <FilterSelect
          field="caseType"
          filter={filter}
          data={caseTypes.map((one) => ({ value: one, label: t(`order.caseType.${one}`) }))}
        />
        <FilterSelect field="otherIid" filter={filter} data={toOptions(choices?.organisations)} />
        <FilterSelect field="personId" filter={filter} data={toOptions(choices?.people)} />
        <FilterSelect
          field="delivered"
          filter={filter}
          data={deliveries.map((one) => ({ value: one, label: t(`order.list.delivered.${one}`) }))}
        />
        <FilterSelect
          field="remake"
          filter={filter}
          data={remakeFilters.map((one) => ({ value: one, label: t(`order.list.remake.${one}`) }))}
        />
        {!isClinic && (
          <FilterSelect
            field="list"
            filter={filter}
            data={orderLists.map((one) => ({ value: one, label: t(`order.list.direction.${one}`) }))}
          />
        )}
        {(["created", "due", "sent", "completed"] as const).map((range) => (
          <DayRange key={range} range={range} filter={filter} />
        ))}
        <DayField
          label={t("order.list.by.openOn")}
          value={filter.openOn ?? ""}
          onChange={(day) => setSearch({ openOn: day })}
        />
        <SortSelect filter={filter} />
      </div>
      <Group justify="space-between" gap="sm">
        <StateFilter filter={filter} />
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t("order.list.clearFilters")}
        </Button>
      </Group>
    </Stack>
  );
}

const toOptions = (choices: { id: string; name: string }[] = []) =>
  choices.map(({ id, name }) => ({ value: id, label: name }));

interface FilterSelectProps {
  field: "task" | "caseType" | "otherIid" | "personId" | "delivered" | "remake" | "list";
  filter: OrderFilter;
  data: { value: string; label: string }[];
}
function FilterSelect({ field, filter, data }: FilterSelectProps) {
  const t = useTexts("order");
  const setSearch = useSetSearchParams();
  return (
    <Select
      label={t(`order.list.by.${field}`)}
      placeholder={t("common.all")}
      searchable={field === "otherIid" || field === "personId"}
      clearable
      allowDeselect={false}
      clearButtonProps={{ "aria-label": t("common.clear") }}
      nothingFoundMessage={t("common.nothingFound")}
      data={data}
      value={filter[field] ?? null}
      onChange={(value) => setSearch({ [field]: value ?? undefined })}
    />
  );
}

/** Narrow screens show cards instead of a table, so there are no column headers to click. */
function SortSelect({ filter }: { filter: OrderFilter }) {
  const t = useTexts("order");
  const setSearch = useSetSearchParams();
  return (
    <Select
      hiddenFrom="md"
      label={t("order.list.sortBy")}
      allowDeselect={false}
      data={orderSorts.map((sort) => ({ value: sort, label: t(`order.column.${sort}`) }))}
      value={getSort(filter).by}
      onChange={(sort) => setSearch({ sort: sort ?? undefined, way: undefined })}
    />
  );
}

/** A first and a last day, both optional. */
function DayRange({ range, filter }: { range: "created" | "due" | "sent" | "completed"; filter: OrderFilter }) {
  const t = useTexts("order");
  const setSearch = useSetSearchParams();
  return (
    <Fieldset
      variant="unstyled"
      legend={t(`order.list.by.${range}`)}
      classNames={{ root: classes.days!, legend: classes.legend! }}
    >
      {([`${range}From`, `${range}To`] as const).map((field) => (
        <DayField
          key={field}
          aria-label={t(`order.list.by.${field}`)}
          value={filter[field] ?? ""}
          onChange={(day) => setSearch({ [field]: day })}
        />
      ))}
    </Fieldset>
  );
}

/** Several states at once. A single one is a tab. */
function StateFilter({ filter }: { filter: OrderFilter }) {
  const t = useTexts("order");
  const setSearch = useSetSearchParams();
  const label = useId();
  return (
    <Group gap={6} role="group" aria-labelledby={label}>
      <span id={label} className={classes.label}>
        {t("order.list.by.states")}
      </span>
      <Chip.Group
        multiple
        value={parseStates(filter.states ?? "")}
        onChange={(states) => setSearch({ states: states.join(","), state: undefined })}
      >
        {orderStates.map((state) => (
          <Chip key={state} value={state} size="xs">
            {t(`order.state.${state}`)}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  );
}
