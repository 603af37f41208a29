/**
 * The exchanges with assured delivery, once each: reliable notification, command and request
 * (EXC-1).
 */
package dev.sequitur.protocol.exchange;
