import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

/** Links to pages, in the looks of the component library, with addresses that the compiler knows. */
export const PageLink = createLink(
  (props: Omit<AnchorProps, "href"> & Omit<ComponentProps<"a">, keyof AnchorProps>) => (
    <Anchor {...props} />
  ),
);

export const PageButton = createLink(
  (props: ButtonProps & Omit<ComponentProps<"a">, keyof ButtonProps>) => (
    <Button component="a" {...props} />
  ),
);
