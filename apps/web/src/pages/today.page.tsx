import { lazy, Suspense } from "react";
import type { ComponentType } from "react";
import { roles } from "@arcada/contract/kernel/roles";
import { useRole } from "../session/current-user.ts";
import { LoadingState } from "../ui/page-states.tsx";

const ClinicToday = lazy(async () => ({ default: (await import("./today/clinic-today.tsx")).ClinicToday }));
const LabToday = lazy(async () => ({ default: (await import("./today/lab-today.tsx")).LabToday }));
const AfterSalesToday = lazy(async () => ({
  default: (await import("./today/after-sales-today.tsx")).AfterSalesToday,
}));
const OperatorToday = lazy(async () => ({ default: (await import("./today/operator-today.tsx")).OperatorToday }));

const pageBySide: Record<"clinic" | "lab", ComponentType> = { clinic: ClinicToday, lab: LabToday };

/** The start page: what waits for the person who signed in, by role. */
export function Page() {
  const role = useRole();
  if (!role) return null;
  const { side } = roles[role];
  const Home = side !== "none" ? pageBySide[side] : role === "operator" ? OperatorToday : AfterSalesToday;
  return (
    <Suspense fallback={<LoadingState />}>
      <Home />
    </Suspense>
  );
}
