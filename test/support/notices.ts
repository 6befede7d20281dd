/** What a command wrote to a terminal for good: the notice that a slow machine gets while files are checked is erased again. */
export const withoutNotice = (text: string): string => text.replace(/Checking the files[^\r]*\r.\[K/, '')
