import { Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import type { ComponentType } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useSearch } from "../../kernel/link.tsx";
import { usePageTitle } from "../../kernel/page-title.ts";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { NotFoundState } from "../../ui/states.tsx";
import { OrderFiles } from "./order-files.tsx";
import { OrderHead } from "./order-head.tsx";
import { OrderMessages } from "./order-messages.tsx";
import { OrderModels } from "./order-models.tsx";
import type { SceneProps } from "./order-models.tsx";
import { OrderRevisions } from "./order-revisions.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { PrescriptionView } from "./prescription-view.tsx";
import classes from "./order-detail.module.css";

/** One order, the same page for both sides. `Scene` draws models in 3D. */
export function OrderDetail({ Scene }: { Scene: ComponentType<SceneProps> }) {
  const { id } = useSearch();
  if (!id) return <NotFoundState />;
  return <NamedOrder key={id} id={id} Scene={Scene} />;
}

function NamedOrder({ id, Scene }: { id: string; Scene: ComponentType<SceneProps> }) {
  const order = useCall(orderCalls.detail, { id });
  const renew = async () => (await order.refetch()).data?.files ?? [];
  return (
    <Answer of={order} waiting={<Waiting />}>
      {(found) => <Sheet order={found} Scene={Scene} renew={renew} />}
    </Answer>
  );
}

interface SheetProps {
  order: Order;
  Scene: ComponentType<SceneProps>;
  renew: () => Promise<Order["files"]>;
}
function Sheet({ order, Scene, renew }: SheetProps) {
  const t = useTexts("order");
  const [shown, setShown] = useState<string | null>(null);
  usePageTitle(t("order.detail.title", { number: order.number }));
  const isHeaderOnly = order.mine === "receiver" && (order.state === "cancelled" || order.state === "refused");
  return (
    <Stack gap="lg" className={classes.page}>
      <OrderHead order={order} isHeaderOnly={isHeaderOnly} />
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          {!isHeaderOnly && <PrescriptionView order={order} />}
          <OrderRevisions order={order} onShow={setShown} />
          <OrderModels order={order} Scene={Scene} renew={renew} shown={shown} onShow={setShown} />
          {!isHeaderOnly && <OrderFiles order={order} onShow={setShown} />}
        </Stack>
        <Stack gap="lg" miw={0}>
          <OrderMessages order={order} />
          <OrderTimeline order={order} />
        </Stack>
      </div>
    </Stack>
  );
}

function Waiting() {
  const t = useTexts();
  return (
    <Stack gap="lg" className={classes.page} role="status" aria-label={t("common.loading")}>
      <Skeleton h={150} radius="lg" />
      <div className={classes.columns}>
        <Skeleton h={420} radius="lg" />
        <Skeleton h={320} radius="lg" />
      </div>
    </Stack>
  );
}
