/**
 * Serves a plan contract of a chain: {@link dev.sequitur.scheduler.provider.ProviderActor} carries
 * out what the rules decide, and decides nothing.
 */
package dev.sequitur.scheduler.provider;
