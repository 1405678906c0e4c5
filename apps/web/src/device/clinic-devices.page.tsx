import { Badge, Button } from "@mantine/core";
import { IconLink, IconTool } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Device } from "@arcada/contract/device/device.calls";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { PermissionGate, useCanAccess } from "../session/permission-gate.tsx";
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
import { BindDialog } from "./bind-dialog.tsx";
import { DeviceDrawer } from "./device-drawer.tsx";
import { useDeviceTransitions } from "./use-device-transitions.tsx";
import { DeviceName, DeviceState, LastSeen } from "./device-name-and-state.tsx";
import classes from "./devices.module.css";
import { useDevices } from "./use-devices.ts";

/** A clinic's devices: state, actions and history. */
export function Page() {
  const t = useTexts("device");
  const [isBinding, setBinding] = useState(false);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const { search = "" } = useSearchParams();
  const setSearch = useSetSearchParams();
  const devices = useDevices({ search });
  const { buttons, dialog } = useDeviceTransitions("clinic");
  const device = devices.data?.list.find(({ id }) => id === openedId);
  return (
    <PageBody
      title={t("device.equipment.title")}
      description={t("device.equipment.says")}
      actions={
        <>
          <WorkordersLink />
          <PermissionGate to={deviceCalls.bind}>
            <Button leftSection={<IconLink size={18} aria-hidden />} onClick={() => setBinding(true)}>
              {t("device.bind.submit")}
            </Button>
          </PermissionGate>
        </>
      }
    >
      <Section flush>
        <div className={classes.filters}>
          <SearchBox
            value={search}
            onSearch={(text) => setSearch({ search: text })}
            label={t("device.equipment.search")}
          />
        </div>
        <DeviceResults devices={devices} isFiltered={search !== ""} onOpen={setOpenedId} actions={buttons} />
      </Section>
      <DeviceDrawer device={device} onClose={() => setOpenedId(null)}>
        {device && buttons(device)}
      </DeviceDrawer>
      {isBinding && <BindDialog onClose={() => setBinding(false)} />}
      {dialog}
    </PageBody>
  );
}

/** A link to the work orders of these devices, with the number of unread ones. */
function WorkordersLink() {
  const t = useTexts("device", "workorder");
  const may = useCanAccess(workorderCalls.list);
  const { data } = useCall(workorderCalls.list, { pageSize: 1 }, { enabled: may });
  if (!may) return null;
  return (
    <Button
      component={ScreenLink}
      screen="workOrder"
      variant="default"
      leftSection={<IconTool size={18} aria-hidden />}
      rightSection={
        data && data.unread > 0 ? (
          <Badge size="sm" circle={data.unread < 10} title={t("workorder.list.unreadCount", { count: data.unread })}>
            {data.unread}
          </Badge>
        ) : undefined
      }
    >
      {t("device.equipment.reports")}
    </Button>
  );
}

interface DeviceResultsProps {
  devices: ReturnType<typeof useDevices>;
  isFiltered: boolean;
  onOpen: (id: string) => void;
  actions: (device: Device) => ReactNode;
}
function DeviceResults({ devices, isFiltered, onOpen, actions }: DeviceResultsProps) {
  const t = useTexts("device");
  const empty = isFiltered ? (
    <EmptyState title={t("device.devices.noSuch")} text={t("device.devices.noSuchText")} />
  ) : (
    <EmptyState title={t("device.equipment.empty")} text={t("device.equipment.emptyText")} />
  );
  return (
    <QueryResult of={devices} isEmpty={({ list }) => list.length === 0} empty={empty}>
      {({ list, total }) => (
        <>
          <DataTable
            label={t("device.equipment.title")}
            columns={buildColumns(t)}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => onOpen(id)}
            actions={actions}
            actionsTitle={t("common.actions")}
          />
          <LoadMore
            query={devices}
            summary={t("device.devices.shown", { shown: list.length, total })}
            label={t("common.more")}
          />
        </>
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
  { key: "seen", title: t("device.seen"), show: ({ seenAt }) => <LastSeen at={seenAt} /> },
  {
    key: "software",
    title: t("device.software"),
    show: ({ softwareVersion }) => <span className="arcada-figures">{softwareVersion ?? "–"}</span>,
  },
  {
    key: "bound",
    title: t("device.boundAt"),
    show: ({ boundAt }) => <span className="arcada-figures">{formatTimestamp(boundAt)}</span>,
  },
];
