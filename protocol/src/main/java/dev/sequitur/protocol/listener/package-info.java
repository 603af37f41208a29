/**
 * How durable listeners are told of what there is for them, in batches that are acknowledged
 * (CLR-2, CLR-3): what each subscription does next, and whose turn it is; and what a webhook is
 * sent next (CLR-7). What is read, pushed, sent and stored is the business of those who drive it.
 */
package dev.sequitur.protocol.listener;
