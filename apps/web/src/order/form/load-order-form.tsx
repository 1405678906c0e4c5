import { useState } from "react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useCall } from "../../data/use-call.ts";
import { LoadingState } from "../../ui/page-states.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import type { OrderStart } from "./order-defaults.ts";
import { NotDraftNotice, OrderForm } from "./order-form.tsx";
import type { LoadPlan } from "./planned-implants.ts";
import { useOrderStart } from "./use-order-start.ts";

/** A new order for the patient in the address, or for one to be chosen; with `id` the draft of that id. */
export function SendOrder({ loadPlan }: { loadPlan: LoadPlan }) {
  const { id, patientId } = useSearchParams();
  const setSearch = useSetSearchParams();
  const [mounted, setMounted] = useState({ place: id ?? patientId, own: "" });
  const addressId = id ?? patientId;
  // The draft that this form has just created gets its id in the address. Any other address mounts another form.
  if (addressId !== mounted.place && id !== mounted.own) setMounted({ place: addressId, own: "" });
  const onCreated = (made: string) => {
    setMounted((now) => ({ ...now, own: made }));
    setSearch({ id: made, patientId: undefined, tooth: undefined, replace: undefined, plan: undefined });
  };
  const isOwn = id !== undefined && id === mounted.own;
  if (!id || isOwn)
    return (
      <NewOrder
        key={mounted.place ?? "new"}
        patientId={isOwn ? mounted.place : patientId}
        loadPlan={loadPlan}
        onCreated={onCreated}
      />
    );
  return <LoadedDraft key={id} id={id} />;
}

interface NewOrderProps {
  patientId: string | undefined;
  loadPlan: LoadPlan;
  onCreated: (id: string) => void;
}
/** A new order begins with what is usual, which is loaded once: later changes do not replace typed input. */
function NewOrder({ patientId, loadPlan, onCreated }: NewOrderProps) {
  const loaded = useOrderStart(patientId ?? "", loadPlan);
  const [start, setStart] = useState<OrderStart | null>(null);
  if (loaded && !start) setStart(loaded);
  if (!start) return <LoadingState lines={9} />;
  return <OrderForm order={null} start={start} patientId={patientId} onCreated={onCreated} />;
}

function LoadedDraft({ id }: { id: string }) {
  const order = useCall(orderCalls.detail, { id });
  return <QueryResult of={order}>{(found) => <OpenedDraft order={found} />}</QueryResult>;
}

/**
 * Updates from the server do not replace typed input: the form keeps the first answer, and saving detects later
 * changes.
 */
function OpenedDraft({ order }: { order: Parameters<typeof OrderForm>[0]["order"] & {} }) {
  const [initial] = useState(order);
  if (initial.state !== "draft") return <NotDraftNotice order={initial} />;
  return <OrderForm order={initial} start={null} patientId={initial.patientId ?? undefined} onCreated={() => {}} />;
}
