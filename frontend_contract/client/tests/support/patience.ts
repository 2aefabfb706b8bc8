/** Lets every test wait as long as a busy machine needs: only endlessness is an error. */
import { configure } from "@testing-library/react";

configure({ asyncUtilTimeout: 60_000 });
