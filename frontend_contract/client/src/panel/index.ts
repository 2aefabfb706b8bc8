/** React components: the memory panel and what belongs beside a chat. */
export {};
