/**
 * Records that lie encrypted on the disk: {@link dev.sequitur.persistence.encryption.Encryption}
 * stands around an ordered map and is one itself. It knows keys that it is given, and no key store.
 */
package dev.sequitur.persistence.encryption;
