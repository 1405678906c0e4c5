import { Outlet } from "@tanstack/react-router";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { BusyState, ErrorState } from "../ui/states.tsx";

export const Root = () => <Outlet />;
export const BarePage = () => <Outlet />;
export const Layout = () => <Outlet />;
export const PageWaiting = () => <BusyState />;
export const PageProblem = ({ reset }: ErrorComponentProps) => <ErrorState retry={reset} />;
