import { Skeleton, Stack } from "@mantine/core";
import { useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useSearch } from "../../kernel/link.tsx";
import { usePageTitle } from "../../kernel/page-title.ts";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { NotFoundState } from "../../ui/states.tsx";
import { compareSides, firstPair } from "./compare-sides.ts";
import type { ComparePair } from "./compare-sides.ts";
import { LetShare } from "./let-share.tsx";
import { OrderCompare } from "./order-compare.tsx";
import type { PairProps } from "./order-compare.tsx";
import { OrderDownload } from "./order-download.tsx";
import { OrderFiles } from "./order-files.tsx";
import { OrderHead } from "./order-head.tsx";
import { OrderMessages } from "./order-messages.tsx";
import { OrderModels } from "./order-models.tsx";
import type { Renew, SceneProps } from "./order-models.tsx";
import { OrderRevisions } from "./order-revisions.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { PrintPrescription } from "../print-prescription.tsx";
import { PrescriptionView } from "./prescription-view.tsx";
import { useOrderPins } from "./use-order-pins.ts";
import classes from "./order-detail.module.css";

/** The components that draw models: one set, or two side by side. */
interface Drawing {
  Scene: ComponentType<SceneProps>;
  Pair: ComponentType<PairProps>;
  /** Returns the button that shares the order. Sharing is not part of the order slice. */
  share: (order: Order) => ReactNode;
}

/** One order, the same page for both sides. */
export function OrderDetail(drawing: Drawing) {
  const { id } = useSearch();
  if (!id) return <NotFoundState />;
  return <NamedOrder key={id} id={id} {...drawing} />;
}

function NamedOrder({ id, ...drawing }: Drawing & { id: string }) {
  const order = useCall(orderCalls.detail, { id });
  const renew: Renew = async (file) => {
    const fresh = (await order.refetch()).data?.files.find((one) => one.id === file);
    return fresh?.url ? { url: fresh.url, glb: fresh.glb } : null;
  };
  return (
    <Answer of={order} waiting={<Waiting />}>
      {(found) => <Sheet order={found} renew={renew} {...drawing} />}
    </Answer>
  );
}

function Sheet({ order, renew, Scene, Pair, share }: Drawing & { order: Order; renew: Renew }) {
  const t = useTexts("order", "orderDetail");
  const [shown, setShown] = useState<string | null>(null);
  const [pair, setPair] = useState<ComparePair | null>(null);
  usePageTitle(t("order.detail.title", { number: order.number }));
  const isHeaderOnly = order.mine === "receiver" && (order.state === "cancelled" || order.state === "refused");
  const pins = useOrderPins(order, !isHeaderOnly && order.state !== "draft");
  const first = firstPair(order, compareSides(order, t));
  return (
    <Stack gap="lg" className={classes.page}>
      <OrderHead
        order={order}
        isHeaderOnly={isHeaderOnly}
        tools={
          <>
            {order.labShares !== null && order.mayShare && order.receiver && <LetShare order={order} />}
            {!isHeaderOnly && <OrderDownload order={order} />}
            {order.mayShare && share(order)}
          </>
        }
      />
      {pair && <OrderCompare {...{ order, Scene, Pair, renew, pins, pair }} onPair={setPair} />}
      <OrderModels {...{ order, Scene, renew, pins, shown }} onShow={setShown} />
      <div className={isHeaderOnly ? classes.single : classes.columns}>
        <Stack gap="lg" miw={0}>
          {!isHeaderOnly && <PrescriptionView order={order} actions={<PrintPrescription id={order.id} />} />}
          <OrderRevisions
            order={order}
            pins={pins}
            onShow={setShown}
            onCompare={first ? () => setPair(first) : undefined}
          />
          {!isHeaderOnly && <OrderFiles order={order} pins={pins} onShow={setShown} />}
        </Stack>
        <Stack gap="lg" miw={0}>
          <OrderMessages order={order} onShow={setShown} />
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
