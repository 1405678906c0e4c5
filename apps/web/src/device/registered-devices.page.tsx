import { Button, Group, Select, Text } from "@mantine/core";
import { IconPlus, IconTablePlus } from "@tabler/icons-react";
import { useState } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { deviceStates } from "@arcada/contract/device/device.lifecycle";
import type { DeviceState as State } from "@arcada/contract/device/device.lifecycle";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { SearchBox } from "../ui/form/search-box.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { DeviceName, DeviceState, LastSeen } from "./device-name-and-state.tsx";
import classes from "./devices.module.css";
import { RegisterDialog } from "./register-dialog.tsx";
import { RegisterListDialog } from "./register-many-devices-dialog.tsx";
import { useDevices } from "./use-devices.ts";

/** All registered devices, for after-sales. */
export function Page() {
  const t = useTexts("device");
  const [openDialog, setOpenDialog] = useState<"one" | "list" | null>(null);
  const close = () => setOpenDialog(null);
  const actions = (
    <PermissionGate to={deviceCalls.register}>
      <Button
        variant="default"
        leftSection={<IconTablePlus size={18} aria-hidden />}
        onClick={() => setOpenDialog("list")}
      >
        {t("device.many.title")}
      </Button>
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpenDialog("one")}>
        {t("device.register.title")}
      </Button>
    </PermissionGate>
  );
  return (
    <PageBody title={t("device.devices.title")} description={t("device.devices.says")} actions={actions}>
      <Section flush>
        <DeviceFilters />
        <DeviceResults />
      </Section>
      {openDialog === "one" && <RegisterDialog onClose={close} />}
      {openDialog === "list" && <RegisterListDialog onClose={close} />}
    </PageBody>
  );
}

function DeviceFilters() {
  const t = useTexts("device");
  const { search = "", product, state } = useSearchParams();
  const setSearch = useSetSearchParams();
  const kinds = useCall(deviceCalls.kinds, {});
  return (
    <Group gap="sm" className={classes.filters}>
      <div className={classes.search}>
        <SearchBox value={search} onSearch={(text) => setSearch({ search: text })} label={t("device.devices.search")} />
      </div>
      <Select
        aria-label={t("device.product")}
        placeholder={t("device.devices.anyProduct")}
        clearable
        value={product ?? null}
        onChange={(value) => setSearch({ product: value ?? undefined })}
        data={(kinds.data ?? []).map((kind) => kind.product)}
      />
      <Select
        aria-label={t("device.stateTitle")}
        placeholder={t("device.devices.anyState")}
        clearable
        value={state ?? null}
        onChange={(value) => setSearch({ state: value ?? undefined })}
        data={deviceStates.map((value) => ({ value, label: t(`device.state.${value}`) }))}
      />
    </Group>
  );
}

const parseState = (text: string | undefined): State | undefined => deviceStates.find((one) => one === text);

function DeviceResults() {
  const t = useTexts("device");
  const go = useOpenScreen();
  const { search = "", product, state } = useSearchParams();
  const wanted = parseState(state);
  const devices = useDevices({ search, ...(product && { product }), ...(wanted && { state: wanted }) });
  const isFiltered = search !== "" || product !== undefined || wanted !== undefined;
  return (
    <QueryResult
      of={devices}
      isEmpty={({ list }) => list.length === 0}
      empty={
        <EmptyState
          title={t(isFiltered ? "device.devices.noSuch" : "device.devices.empty")}
          text={t(isFiltered ? "device.devices.noSuchText" : "device.devices.emptyText")}
        />
      }
    >
      {({ list, total }) => (
        <div aria-busy={devices.isPlaceholderData}>
          <DataTable
            label={t("device.devices.title")}
            columns={buildColumns(t)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => go("deviceDetail", { id })}
          />
          <LoadMore
            query={devices}
            summary={t("device.devices.shown", { shown: list.length, total })}
            label={t("common.more")}
          />
        </div>
      )}
    </QueryResult>
  );
}

const buildColumns = (t: Translate): Column<Device>[] => [
  {
    key: "device",
    title: t("device.device"),
    narrow: "head",
    opens: "button",
    show: (device) => <DeviceName device={device} />,
  },
  { key: "state", title: t("device.stateTitle"), show: (device) => <DeviceState device={device} /> },
  {
    key: "clinic",
    title: t("device.clinic"),
    show: ({ institution }) => (institution ? institution.name : <Text c="dimmed">–</Text>),
  },
  {
    key: "software",
    title: t("device.software"),
    show: ({ softwareVersion }) => <span className="arcada-figures">{softwareVersion ?? "–"}</span>,
  },
  { key: "seen", title: t("device.seen"), show: ({ seenAt }) => <LastSeen at={seenAt} /> },
];
