import { Button, Divider, Popover, Stack, Text } from "@mantine/core";
import { IconColumns, IconCopy, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderContact } from "@arcada/contract/order/order-parts.schema";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCommand } from "../../data/use-command.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { LabSharingSwitch } from "../forwarding/lab-sharing-switch.tsx";
import { revisionName } from "./revision-status.ts";

interface DetailsProps {
  order: Order;
  /** Undefined if there is nothing to compare. */
  onCompare: (() => void) | undefined;
}

/** The rarely needed parts: comparison of versions, permission to share, contacts and checksums. */
export function OrderDetailsMenu({ order, onCompare }: DetailsProps) {
  const t = useTexts("order", "orderDetail");
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={320} position="bottom-end" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconInfoCircle size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t("orderDetail.details.open")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("orderDetail.details.open")}>
        <Stack gap="sm">
          {onCompare && (
            <Button
              variant="default"
              leftSection={<IconColumns size={16} aria-hidden />}
              onClick={() => {
                setOpen(false);
                onCompare();
              }}
            >
              {t("orderDetail.compare.begin")}
            </Button>
          )}
          {order.mine === "sender" && order.state !== "draft" && <CopyButton id={order.id} />}
          {order.labShares !== null && order.mayShare && order.receiver && <LabSharingSwitch order={order} />}
          <Contact title={t("order.detail.sender")} name={order.sender.name} contact={order.contacts.sender} />
          {order.creatorName !== order.responsibleName && (
            <Text size="xs" c="dimmed">
              {t("order.detail.madeBy", { name: order.creatorName })}
            </Text>
          )}
          {order.receiver && (
            <Contact title={t("order.detail.receiver")} name={order.receiver.name} contact={order.contacts.receiver} />
          )}
          <Checksums order={order} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** An institution with its person, phone or e-mail, and address. */
function Contact({ title, name, contact }: { title: string; name: string; contact: OrderContact | null }) {
  const line = [contact?.contactPerson, contact?.contactWay].filter(Boolean).join(" · ");
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      {[name, line, contact?.address].filter(Boolean).map((text) => (
        <Text key={text} size="sm" dir="auto">
          {text}
        </Text>
      ))}
    </div>
  );
}

function Checksums({ order }: { order: Order }) {
  const t = useTexts("order", "orderDetail");
  if (order.revisions.length === 0) return null;
  return (
    <>
      <Divider label={t("orderDetail.details.checksums")} labelPosition="left" />
      {order.revisions.map((revision) => (
        <div key={revision.id}>
          <Text size="xs" c="dimmed">
            {revisionName(t, revision)}
          </Text>
          <CopyText text={revision.hash} label={t("orderDetail.revision.copyHash")} />
        </div>
      ))}
    </>
  );
}

/** An ended order cannot be reopened: repeated work starts as a new draft. */
function CopyButton({ id }: { id: string }) {
  const t = useTexts("order");
  const go = useOpenScreen();
  const may = useCanAccess(orderCalls.copy);
  const copy = useCommand(orderCalls.copy);
  if (!may) return null;
  const press = async () => {
    const made = await copy.run({ id });
    if (made) go("sendPage", { id: made.data.id });
  };
  return (
    <Button
      variant="default"
      leftSection={<IconCopy size={16} aria-hidden />}
      loading={copy.busy}
      onClick={() => void press()}
    >
      {t("order.detail.copy")}
    </Button>
  );
}
