import { Badge, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconMapPin } from "@tabler/icons-react";
import { useState } from "react";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";

type Device = ClinicDetail["deviceList"][number];

/** The devices at a clinic. */
export function ClinicDevices({ clinic }: { clinic: ClinicDetail }) {
  const t = useTexts("clinic", "device");
  const go = useOpenScreen();
  const [isAssigning, assignDialog] = useDisclosure(false);
  return (
    <Section
      title={t("clinic.devices")}
      flush
      actions={
        clinic.mayChange && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconMapPin size={16} aria-hidden />}
            onClick={assignDialog.open}
          >
            {t("clinic.stand")}
          </Button>
        )
      }
    >
      {clinic.deviceList.length === 0 ? (
        <EmptyState title={t("clinic.noDevices")} />
      ) : (
        <DataTable
          label={t("clinic.devices")}
          columns={buildColumns(t)}
          rows={clinic.deviceList}
          rowKey={({ id }) => id}
          onOpen={({ id }) => go("deviceDetail", { id })}
        />
      )}
      <Modal
        opened={isAssigning}
        onClose={assignDialog.close}
        title={t("clinic.standTitle", { name: clinic.name })}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <AssignDevice clinic={clinic} onClose={assignDialog.close} />
      </Modal>
    </Section>
  );
}

const stateColours: Record<Device["state"], string> = { unbound: "gray", bound: "green", locked: "red" };
const buildColumns = (t: Translate): Column<Device>[] => [
  {
    key: "serial",
    title: t("clinic.serialNumber"),
    narrow: "head",
    opens: "button",
    show: ({ serialNumber, name }) => (
      <div>
        <Text size="sm" fw={600} className="arcada-figures">
          {serialNumber}
        </Text>
        {name && (
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        )}
      </div>
    ),
  },
  { key: "product", title: t("clinic.product"), show: ({ product, model }) => `${product} · ${model}` },
  { key: "version", title: t("clinic.softwareVersion"), show: ({ softwareVersion }) => softwareVersion ?? "–" },
  {
    key: "state",
    title: t("clinic.state"),
    show: ({ state }) => (
      <Badge variant="light" color={stateColours[state]}>
        {t(`device.state.${state}`)}
      </Badge>
    ),
  },
];

/** Assigns a registered device to the clinic. Its owner is decided by the activation code. */
function AssignDevice({ clinic, onClose }: { clinic: ClinicDetail; onClose: () => void }) {
  const t = useTexts("clinic");
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [search] = useDebouncedValue(typed, 300);
  const found = useCall(deviceCalls.list, { search, pageSize: 20 }, { keepPrevious: true });
  const bind = useCommand(clinicCalls.bindDevice);
  return (
    <Stack gap="md">
      <Text size="sm">{t("clinic.standText")}</Text>
      <Select
        label={t("clinic.serialNumber")}
        data-autofocus
        required
        searchable
        openOnFocus={false}
        nothingFoundMessage={t("common.nothingFound")}
        searchValue={typed}
        onSearchChange={setTyped}
        value={chosen}
        onChange={setChosen}
        // The server has already filtered.
        filter={({ options }) => options}
        data={(found.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.serialNumber} · ${one.product}` }))}
        comboboxProps={{ zIndex: 400 }}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button
          loading={bind.busy}
          disabled={chosen === null}
          onClick={() =>
            void bind.run({ id: clinic.id, deviceId: chosen ?? "" }).then((done) => {
              if (!done) return;
              toast("success", t("common.saved"));
              onClose();
            })
          }
        >
          {t("clinic.stand")}
        </Button>
      </Group>
    </Stack>
  );
}
