package dev.sequitur.persistence.leveldb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.WriteOptions;

/** A native database that remembers how it was written to, and whose disk can be made to fail. */
public final class ObservedDb {
  private final List<Boolean> syncOfEachWrite = new CopyOnWriteArrayList<>();
  private final AtomicReference<DBException> nextFailure = new AtomicReference<>();

  /** A directory whose disk fails the next write, and no other. */
  public static LevelDb failingOnce(Path directory, LevelDbSettings settings, String message) {
    var observed = new ObservedDb();
    observed.failNextWrite(message);
    DataDirectory opened = DataDirectory.open(directory, settings);
    return new LevelDb(
        opened.path(), observed.around(opened.db()), settings, opened.freeDiskBytes());
  }

  DB around(DB real) {
    return (DB)
        Proxy.newProxyInstance(
            DB.class.getClassLoader(),
            new Class<?>[] {DB.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write")) {
                syncOfEachWrite.add(((WriteOptions) arguments[1]).sync());
                DBException failure = nextFailure.getAndSet(null);
                if (failure != null) {
                  throw failure;
                }
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** One element for each native write, true if it asked for an fsync. */
  List<Boolean> writes() {
    return syncOfEachWrite;
  }

  void failNextWrite(String message) {
    nextFailure.set(new DBException(message));
  }
}
