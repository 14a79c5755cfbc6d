//! Where tests make the disk fail. Outside this crate's own tests every operation is allowed and
//! nothing is compiled in.

pub(crate) use switch::*;

#[cfg(not(test))]
mod switch {
    /// Whether the next operation on the disk may go ahead: always.
    #[inline]
    pub(crate) fn before_operation() -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod switch {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static REMAINING: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// Whether the next operation on the disk may go ahead.
    pub(crate) fn before_operation() -> io::Result<()> {
        match REMAINING.get() {
            Some(0) => Err(io::ErrorKind::StorageFull.into()),
            Some(remaining) => {
                REMAINING.set(Some(remaining - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Lets `operations` more operations of this thread succeed and every later one fail; `None`:
    /// none fails.
    pub(crate) fn fail_after(operations: Option<u64>) {
        REMAINING.set(operations);
    }

    /// How many operations are left before the failures begin.
    pub(crate) fn remaining() -> Option<u64> {
        REMAINING.get()
    }
}
