import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { token } from "@/api/token.ts";
import { ErrorBoundary } from "@/parts/ErrorBoundary.tsx";
import { Connection } from "./Connection.tsx";
import { Navigation } from "./Navigation.tsx";
import classes from "./Shell.module.css";
import { SignIn } from "./SignIn.tsx";
import { ColourSwitch, LanguageSwitch } from "./Switches.tsx";

/** What stands around every page. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isWanted = useSyncExternalStore(token.subscribe, token.isWanted);
  const address = useRouterState({ select: (state) => state.location.pathname });
  if (isWanted) return <SignIn />;
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      {/* No link: the address behind the # belongs to the pages. */}
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById("main")?.focus()}
      >
        {t("shell.skip")}
      </button>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={t("shell.menu")}
            aria-expanded={isOpen}
          />
          <Link to="/" className={classes.wordmark} onClick={close}>
            <img src="/favicon.svg" alt="" width={22} height={22} />
            whet
          </Link>
          <Group gap={4} ml="auto" wrap="nowrap">
            <Connection />
            <LanguageSwitch />
            <ColourSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        aria-label={t("shell.navigation")}
        className={classes.navbar ?? ""}
        data-open={isOpen}
      >
        <Navigation onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main ?? ""}>
        <ErrorBoundary key={address}>
          <Outlet />
        </ErrorBoundary>
      </AppShell.Main>
    </AppShell>
  );
}
